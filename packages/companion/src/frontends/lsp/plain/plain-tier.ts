import { basename } from "node:path";
import type { Position } from "vscode-languageserver";
import type { EditorContext } from "../../../core/editor.ts";
import type { Edits, RecoveredEditsSummary } from "../../../core/edits/recovered-edits.ts";
import { countLines } from "../../../core/hunks.ts";
import { safeText } from "../../../files/safe-text.ts";
import { createPathLabels } from "../../../files/workspace-path.ts";
import { Listeners } from "../../../system/listeners.ts";
import type { News } from "../../protocol/list-messages.ts";
import { StoredLists } from "../../protocol/lists.ts";
import type { Tier, TierOptions } from "../tier.ts";
import { answerActions } from "./actions.ts";
import { Buttons } from "./buttons.ts";
import { Documents } from "./documents.ts";
import { executeCommands } from "./execute.ts";
import { ListDocuments } from "./list-documents.ts";
import { toCapabilities, toHoverText } from "./marks.ts";
import type { PlainParts } from "./parts.ts";
import { type Arrival, ProposalController } from "./proposal-controller.ts";
import { createProposalFolder } from "./proposal-folder.ts";
import type { ReviewedProposal } from "./reviewed-proposal.ts";
import { createStaging } from "./staging.ts";
import { WrittenDocuments } from "./written-documents.ts";

/** An editor that has nothing of ours: served by what every language server may ask of it. */
export function createPlainTier(options: TierOptions): Tier {
  const { client, connection, ask, notifier, host, onFile } = options;
  const contexts = new Listeners<[context: EditorContext]>();
  const folder = createProposalFolder(host);
  const buttons = new Buttons({ client, ask });
  const staging = createStaging({ ...options, buttons });
  const documents = new Documents({
    client,
    connection,
    isOurs: folder.holds,
    onFile,
    onFault: (message) => notifier.log(message),
    onContext: (context) => {
      written.follow(context.files.map(({ path: file }) => file));
      contexts.tell(context);
    },
    onSaved: async (file) => (await options.started())?.written.noteSaved(file),
    onOurs: (document, what) => controller.take(document, what),
  });
  const labels = createPathLabels(options.roots);
  const lists = new StoredLists(labels, options.started);
  const edits = new EditsOffers({ ...options, folder, lists });
  const written = new WrittenDocuments({ ...options, documents, staging, labels, lists });
  const listed = new ListDocuments({ ...options, documents, staging, folder, lists });
  const controller = new ProposalController({ ...options, folder, staging, documents });
  const parts: PlainParts = {
    ...options,
    ...{ folder, buttons, documents, controller, staging, written, listed },
  };
  listenForAttention(parts);
  answerActions(parts);
  executeCommands(parts);

  return {
    editor: {
      info: client.info,
      pid: client.pid ?? process.ppid,
      onContext(listener) {
        listener(documents.context);
        return contexts.add(listener);
      },
      show: async (change) => offer(await controller.open(change), parts),
      hide: async (change, reason) => controller.close(change, reason === "shutdown"),
      flush: async (change) => controller.flush(change),
      update: (change, rebase) => controller.update(change, rebase),
      ...(client.showsDocuments && {
        openFile: async ({ path, ...place }) => staging.showFile(path, place),
      }),
    },
    capabilities: toCapabilities(client),
    isOurs: folder.holds,
    onStatus: ({ edits: store }) => {
      edits.start(store).catch((error: Error) => notifier.log(error.message));
    },
    async onEvent(event) {
      if (event.kind === "turn-written") await written.list();
      const news = await lists.newsOf(event);
      if (news?.list === "edits") edits.offer(news);
      if (news?.list === "written") notifier.show("info", `${safeText(news.text)}. Code actions lead there.`);
    },
    close: () => {
      written.close();
      edits.adopt();
      folder.close();
    },
  };
}

type EditsOffersOptions = Pick<PlainParts, "notifier" | "folder"> & { readonly lists: StoredLists };

/** Gets back what users typed in proposals. */
class EditsOffers {
  readonly #options: EditsOffersOptions;
  readonly #offered = new Set<string>();
  #store: Edits | undefined;

  constructor(options: EditsOffersOptions) {
    this.#options = options;
  }

  /** Tells of what an earlier companion has left, once. */
  async start(store: Edits): Promise<void> {
    if (this.#store) return;
    this.#store = store;
    const { lists } = this.#options;
    for (const edits of this.adopt()) this.offer(await lists.newsOfEdits(edits));
    for (const news of await lists.news()) if (news.list === "edits") this.offer(news);
  }

  /** Once of each, also of edits in which the user types on. */
  offer({ row, text }: News): void {
    if (row && this.#offered.has(row.id)) return;
    if (row) this.#offered.add(row.id);
    // The command first: an editor in a terminal may cut what comes last.
    const way = row ? `restore ${row.id} gets it back` : "lists them";
    this.#options.notifier.show("warning", `ide-companion edits ${way}: ${text}`);
  }

  /**
   * Moves what users saved in the documents of proposals to the recovered edits. What the disk does not take stays there.
   * @returns what was not there yet
   */
  adopt(): readonly RecoveredEditsSummary[] {
    const { folder, notifier } = this.#options;
    const [store, adopted]: [Edits | undefined, RecoveredEditsSummary[]] = [this.#store, []];
    if (!store) return adopted;
    try {
      const texts = new Set(store.list().map(({ id, filePath }) => `${filePath}\0${store.read(id)?.text}`));
      for (const { filePath, agent, proposed, text, remove } of folder.findSavedEdits()) {
        const given = { filePath, agent, reason: "editor-ended", proposed, text };
        if (!texts.has(`${filePath}\0${text}`)) adopted.push(store.add(given));
        remove();
      }
    } catch (error) {
      notifier.log(`What was saved in proposals stays where it is: ${error}`);
    }
    return adopted;
  }
}

/**
 * Tells the user of a proposal: with the choices in the message where the editor offers them, else with the place where
 * they are. As long as its document is not shown, with the way there.
 */
function offer({ reviewed, shown }: Arrival, parts: PlainParts): void {
  const { client, notifier } = parts;
  if (!shown) {
    showChoices(reviewed, parts);
    return;
  }
  const message = describe(reviewed);
  const way = client.keys
    ? `${client.keys.actions} shows it: ${message}`
    : `${message}. A code action shows it.`;
  notifier.show("info", way);
  shown.then(
    () => showChoices(reviewed, parts),
    (error: Error) => {
      if (!reviewed.ended.aborted) notifier.show("warning", error.message);
    },
  );
}

function showChoices(reviewed: ReviewedProposal, parts: PlainParts): void {
  const { client, buttons, notifier, controller } = parts;
  const message = describe(reviewed);
  // Short: in a terminal a message that needs two lines stops the user for a key, or is cut: then the key is still there.
  const oldLines = reviewed.facts.length === 0 && client.keys ? `; ${client.keys.hover}: old lines` : "";
  const withPlace = client.keys
    ? `${client.keys.actions}: accept, reject${oldLines}. ${message}`
    : `${message}. Accept or reject it by a code action.`;
  if (!buttons.areThere) {
    notifier.show("info", withPlace);
    return;
  }
  buttons.offer(`${message}.`, ["Accept", "Reject"], reviewed.ended).then(
    (chosen) => {
      if (chosen === "Accept") controller.settle(reviewed, "accepted");
      if (chosen === "Reject") controller.settle(reviewed, "rejected");
    },
    () => {
      if (!reviewed.ended.aborted) notifier.show("info", withPlace);
    },
  );
}

function describe({ proposal, path, hunks, facts }: ReviewedProposal): string {
  const { agent, readOnlyReason } = proposal;
  const warning = facts.length === 0 ? "" : `${facts.join(", ")}: `;
  const sentence = `${warning}${agent} proposes ${basename(path)} ${countLines(hunks)}`;
  return safeText(readOnlyReason === undefined ? sentence : `${sentence}, read-only`);
}

/**
 * Takes from an editor's questions where the user is. All are answered at once, and with nothing but what a change of a
 * proposal replaces, where its hint has no room for it.
 */
function listenForAttention({ connection, client, documents, controller, written }: PlainParts): void {
  type Place = { readonly textDocument: { readonly uri: string }; readonly position: Position };
  const look = ({ textDocument: { uri }, position }: Place) => {
    documents.look(uri, { start: position, end: position });
    return null;
  };
  connection.onHover((place) => {
    look(place);
    const document = client.coversTextByHints ? documents.find(place.textDocument.uri) : undefined;
    const reviewed = document && controller.at(document.path);
    const value = reviewed
      ? toHoverText(reviewed, place.position)
      : document && written.hover(document, place.position);
    return value === undefined ? null : { contents: { kind: "markdown", value } };
  });
  connection.onDocumentHighlight(look);
  connection.onSignatureHelp(look);
  connection.onSelectionRanges(({ textDocument, positions: [position] }) =>
    position ? look({ textDocument, position }) : null,
  );
  const see = watchVisibleDocument((uri) => documents.focus(uri));
  connection.languages.inlayHint.on(({ textDocument }) => {
    see(textDocument.uri);
    return null;
  });
}

/** How long to wait for the other documents on the screen, in milliseconds. */
const gathering = 50;

/**
 * Inlay hints are asked for whatever is on the screen: one document alone has the user's eyes, of several
 * nobody knows which.
 */
export function watchVisibleDocument(onOne: (uri: string) => void): (uri: string) => void {
  const seen = new Set<string>();
  return (uri) => {
    seen.add(uri);
    if (seen.size > 1) return;
    setTimeout(() => {
      if (seen.size === 1) onOne(uri);
      seen.clear();
    }, gathering).unref();
  };
}
