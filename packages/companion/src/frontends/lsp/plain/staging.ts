import { ApplyWorkspaceEditRequest, type WorkspaceEdit } from "vscode-languageserver";
import { z } from "zod";
import type { FileLocation } from "../../../core/editor.ts";
import { toFileUri } from "../file-uri.ts";
import { showDocument } from "../notifier.ts";
import type { TierOptions } from "../tier.ts";
import type { Buttons } from "./buttons.ts";
import { rangeOf } from "./hunks.ts";
import { toDiagnostics } from "./marks.ts";
import type { ReviewedProposal } from "./reviewed-proposal.ts";

/** How long the editor may take, in milliseconds: to show a document, to tell us of it, to edit one. */
const limits = { show: 5000, open: 2000, edit: 5000 } as const;

const applyEdit = {
  method: ApplyWorkspaceEditRequest.method,
  answer: z.object({ applied: z.boolean() }),
};

/** What we ask of the editor for a proposal's document. */
export type Staging = ReturnType<typeof createStaging>;

export function createStaging({
  client,
  ask,
  notifier,
  buttons,
}: TierOptions & { readonly buttons: Buttons }) {
  async function open(uri: string, place: object): Promise<void> {
    const params = { uri, takeFocus: false, ...place };
    const { success } = await ask(showDocument, params, { limit: limits.show });
    if (!success) throw new Error(`${client.info.displayName} could not open ${uri}`);
  }

  /** @throws Error when the editor has not made the edit. */
  async function edit(label: string, workspaceEdit: WorkspaceEdit): Promise<void> {
    if (!client.appliesEdits) throw new Error(`${client.info.displayName} makes no edits for others`);
    const params = { label, edit: workspaceEdit };
    const { applied } = await ask(applyEdit, params, { limit: limits.edit });
    if (!applied) throw new Error(`${client.info.displayName} has not made the edit`);
  }

  return {
    /**
     * Lets the editor open it, without the focus where it can be helped.
     * @throws Error when the user could not reach the choices there
     */
    async show(reviewed: ReviewedProposal): Promise<void> {
      await open(reviewed.uri, startOf(reviewed));
      // A document that is not opened has no lenses and no actions; only a message is left then.
      if (!(await isIn(limits.open, reviewed.isOpened)) && !buttons.areThere) {
        throw new Error(`${client.info.displayName} has not opened ${reviewed.uri}`);
      }
    },
    /** Shows one that is open, with the focus: the user has asked for it. @throws Error when the editor has not shown it */
    reveal: (reviewed: ReviewedProposal) => open(reviewed.uri, { takeFocus: true, ...startOf(reviewed) }),
    /** Shows a file, at a place when one is named. @throws Error when the editor has not shown it */
    showFile(path: string, { line, character = 1 }: Omit<FileLocation, "path"> = {}): Promise<void> {
      const start = { line: (line ?? 1) - 1, character: character - 1 };
      const selection = line === undefined ? {} : { selection: { start, end: start } };
      return open(toFileUri(path), selection);
    },
    /** Shows a file that the user has asked for, with the focus. @throws Error when the editor has not shown it */
    openFile: (path: string) => open(toFileUri(path), { takeFocus: true }),
    mark(reviewed: ReviewedProposal): void {
      const { uri, version } = reviewed;
      const diagnostics = toDiagnostics(reviewed, client.coversTextByHints);
      notifier.notify("textDocument/publishDiagnostics", {
        uri,
        ...(version !== null && { version }),
        diagnostics,
      });
    },
    edit,
    /** Takes the marks away, and the document where the editor can. */
    async strike(reviewed: ReviewedProposal, isOpen: boolean): Promise<void> {
      notifier.notify("textDocument/publishDiagnostics", { uri: reviewed.uri, diagnostics: [] });
      if (!isOpen || !client.deletesFiles) return;
      const options = { ignoreIfNotExists: true };
      const deletion = { kind: "delete" as const, uri: reviewed.uri, options };
      await edit("Close the proposal", { documentChanges: [deletion] });
    },
  };
}

/** Its first change, as a selection; nothing when it has none. */
function startOf({ hunks: [first] }: ReviewedProposal): object {
  if (!first) return {};
  const { start } = rangeOf(first);
  return { selection: { start, end: start } };
}

/** Whether something happens in time. */
function isIn(milliseconds: number, happening: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds);
    void happening.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
