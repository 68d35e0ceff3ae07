import type { Companion } from "ide-companion";
import { describeOutcome, type Rewriting } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { commands, l10n } from "vscode";
import { onCommand } from "../commands.ts";
import { inform, offer } from "../messages.ts";
import { say } from "../wording.ts";
import { isInWorkspace, nameOf } from "../workspace.ts";
import { HistoryDocuments } from "./history-documents.ts";
import { ListView, type Row } from "./list-view.ts";

type PastDecision = ReturnType<Companion["history"]["list"]>[number];

/** Lists the decisions of the last weeks, opens them as diffs, undoes them, and puts the user's versions in again. */
export function registerHistory(history: Companion["history"]): vscode.Disposable {
  const documents = new HistoryDocuments(history);
  /** About files of this window, newest first. */
  const list = (): readonly PastDecision[] =>
    history.list().filter(({ filePath }) => isInWorkspace(filePath));
  const view = new ListView("ideCompanion.history", "ideCompanion.history", {
    list,
    toRow,
    none: l10n.t("Nothing has been decided here yet."),
    placeHolder: l10n.t("Decisions of the last 30 days: search by file, agent or outcome"),
  });

  const onRewriting = (command: string, kind: Rewriting) =>
    view.on(
      command,
      ({ id }) => documents.offer(kind, id),
      () => documents.activeId,
    );

  async function write(): Promise<void> {
    const written = await documents.write();
    if (!written) return;
    const name = nameOf(written.filePath);
    if (written.kind === "undo") return inform(l10n.t("The change of {0} is undone.", name));
    // Its agent knows nothing of it.
    await offer(l10n.t("{0} contains this change now.", name), l10n.t("Send to agent"), () =>
      commands.executeCommand("ideCompanion.sendFiles", vscode.Uri.file(written.filePath)),
    );
  }

  return vscode.Disposable.from(
    ...[view, documents, { dispose: history.onChange(() => view.refresh()) }],
    view.on("history", ({ id }) => documents.show(id)),
    onRewriting("undoChange", "undo"),
    onRewriting("proposeAgain", "reapply"),
    onRewriting("acceptAfterAll", "reapply"),
    onCommand("writeShown", write),
  );
}

const icons = { accepted: "check", rejected: "close", closed: "circle-slash" } as const;

function toRow(decision: PastDecision): Row {
  const outcome = describeOutcome(decision, say);
  const { outcome: kind } = decision;
  return { note: outcome, detail: outcome, icon: icons[kind], contextValue: `decision.${kind}` };
}
