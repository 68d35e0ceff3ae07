import path, { basename, sep } from "node:path";
import type { Position } from "vscode-languageserver";
import type { Companion } from "../../../companion.ts";
import type { EditorContext } from "../../../core/editor.ts";
import type { Edits, RecoveredEditsSummary } from "../../../core/edits/recovered-edits.ts";
import { countLines } from "../../../core/hunks.ts";
import { explainReason } from "../../../core/sentences.ts";
import { safeText } from "../../../files/safe-text.ts";
import { createPathLabels } from "../../../files/workspace-path.ts";
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
  const listeners = new Set<(context: EditorContext) => void>();
  let served: Companion | undefined;
  const folder = createProposalFolder(host);
  const edits = new EditsOffers({ ...options, folder });
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
      for (const listener of listeners) listener(context);
    },
    onSaved: async (file) => (await options.started())?.written.noteSaved(file),
    onOurs: (document, what) => controller.take(document, what),
  });
  const labels = createPathLabels(options.roots);
  const lists = new StoredLists(labels, options.started);
  const written = new WrittenDocuments({ ...options, documents, staging, labels, lists });
  const listed = new ListDocuments({ ...options, documents, staging, folder, lists });
  const controller = new ProposalController({ ...options, folder, staging, documents });
  const parts: PlainParts = {
    ...options,
    ...{ folder, buttons, documents, controller, staging, written, listed, companion: () => served },
  };
  listenForAttention(parts);
  answerActions(parts);
  executeCommands(parts);

  return {
    editor: {
      info: client.info,
      pid: client.pid ?? process.ppid,
      onContext(listener) {
        listeners.add(listener);
        listener(documents.context);
        return () => listeners.delete(listener);
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
    onStatus: (companion) => {
      if (!served) edits.offerAll(companion.edits);
      served = companion;
    },
    async onEvent(event) {
      if (event.kind === "edits-recovered") await edits.offer(event.edits);
      await written.onEvent(event);
    },
    close: () => {
      written.close();
      if (served) edits.adopt(served.edits);
      folder.close();
    },
  };
}

type EditsOffersOptions = Pick<PlainParts, "notifier" | "roots" | "folder">;

/** Gets back what users typed in proposals, for an editor without a list of it. */
class EditsOffers {
  readonly #options: EditsOffersOptions;
  readonly #offered = new Set<string>();

  constructor(options: EditsOffersOptions) {
    this.#options = options;
  }

  /** Once, also of edits in which the user types on. */
  offer(edits: RecoveredEditsSummary): void {
    if (!this.#offered.has(edits.id)) this.#options.notifier.show("warning", describeRecovered(edits));
    this.#offered.add(edits.id);
  }

  /** What belongs to the folders that are open, and what was found in proposals just now. */
  offerAll(edits: Edits): void {
    const { notifier, roots } = this.#options;
    const adopted = this.adopt(edits);
    const isOpen = (file: string) => roots().some((root) => file.startsWith(`${root}${sep}`));
    const own = edits.list().filter(({ id, filePath }) => adopted.includes(id) || isOpen(filePath));
    const [first, ...others] = own;
    if (!first) return;
    const all = `ide-companion edits lists your edits of ${own.length} proposals that are not in their files.`;
    notifier.show("warning", others.length === 0 ? describeRecovered(first) : all);
  }

  /**
   * Moves what users saved in the documents of proposals to the recovered edits. What the disk does not take stays there.
   * @returns the ids of what was not there yet
   */
  adopt(edits: Edits): readonly string[] {
    const { folder, notifier } = this.#options;
    const adopted: string[] = [];
    try {
      const texts = new Set(edits.list().map(({ id, filePath }) => `${filePath}\0${edits.read(id)?.text}`));
      for (const { filePath, agent, proposed, text, remove } of folder.findSavedEdits()) {
        const given = { filePath, agent, reason: "editor-ended", proposed, text };
        if (!texts.has(`${filePath}\0${text}`)) adopted.push(edits.add(given).id);
        remove();
      }
    } catch (error) {
      notifier.log(`What was saved in proposals stays where it is: ${error}`);
    }
    return adopted;
  }
}

function describeRecovered({ id, agent, filePath, reason }: RecoveredEditsSummary): string {
  const why = safeText(explainReason({ reason, agent }));
  const name = safeText(path.basename(filePath));
  // The command first: an editor in a terminal may cut what comes last.
  return `ide-companion edits restore ${id} gets back your edits of ${name}: ${why}`;
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
      if (!reviewed.end.signal.aborted) notifier.show("warning", error.message);
    },
  );
}

function showChoices(reviewed: ReviewedProposal, parts: PlainParts): void {
  const { client, buttons, notifier, controller } = parts;
  const message = describe(reviewed);
  // Short: in a terminal a message that needs two lines stops the user for a key, or is cut: then the key is still there.
  const oldLines = reviewed.warning === "" && client.keys ? `; ${client.keys.hover}: old lines` : "";
  const withPlace = client.keys
    ? `${client.keys.actions}: accept, reject${oldLines}. ${message}`
    : `${message}. Accept or reject it by a code action.`;
  if (!buttons.areThere) {
    notifier.show("info", withPlace);
    return;
  }
  buttons.offer(`${message}.`, ["Accept", "Reject"], reviewed.end.signal).then(
    (chosen) => {
      if (chosen === "Accept") controller.settle(reviewed, "accepted");
      if (chosen === "Reject") controller.settle(reviewed, "rejected");
    },
    () => {
      if (!reviewed.end.signal.aborted) notifier.show("info", withPlace);
    },
  );
}

function describe({ proposal, path, hunks, warning }: ReviewedProposal): string {
  const { agent, readOnlyReason } = proposal;
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
