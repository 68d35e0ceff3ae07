import { basename } from "node:path";
import type { Companion, CompanionEvent } from "ide-companion";
import { outcomes } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { toMarkdown, toMessage } from "../plain-text.ts";
import { say } from "../wording.ts";
import { isInWorkspace } from "../workspace.ts";
import { HistoryDocuments, type Rewriting } from "./history-documents.ts";
import { ListView, originOf } from "./list-view.ts";
import { folderOf } from "./proposal-facts.ts";

type PastDecision = ReturnType<Companion["history"]["list"]>[number];

/** Lists the decisions of the last weeks, opens them as diffs, undoes them, and puts the user's versions in again. */
export interface HistoryUi extends vscode.Disposable {
  /** To be called when the companion has started. */
  attach(companion: Pick<Companion, "history">): void;
  handle(event: CompanionEvent): void;
}

export function createHistory(): HistoryUi {
  const { commands, l10n, window } = vscode;
  let history: Companion["history"] | undefined;
  const documents = new HistoryDocuments(() => history);
  /** About files of this window, newest first. */
  const list = (): readonly PastDecision[] =>
    (history?.list() ?? []).filter(({ filePath }) => isInWorkspace(filePath));
  const view = new ListView("ideCompanion.history", list, toTreeItem);

  /** What a view passes, what the active tab shows, or else what the user chooses. */
  async function find(target: unknown): Promise<PastDecision | undefined> {
    if (isDecision(target)) return target;
    const id = documents.activeId;
    return id === undefined ? chooseDecision(list()) : list().find((one) => one.id === id);
  }

  async function offer(kind: Rewriting, target: unknown): Promise<void> {
    const decision = await find(target);
    const trouble = decision && (await documents.offer(kind, decision.id));
    if (trouble !== undefined) void window.showInformationMessage(toMessage(trouble));
  }

  async function write(): Promise<void> {
    const { trouble, kind, filePath } = (await documents.write()) ?? {};
    view.refresh();
    if (trouble !== undefined) return void window.showWarningMessage(toMessage(trouble));
    if (filePath === undefined) return;
    const name = basename(filePath);
    if (kind === "undo")
      return void window.showInformationMessage(toMessage(l10n.t("The change of {0} is undone.", name)));
    // Its agent knows nothing of it.
    const send = l10n.t("Send to agent");
    const done = toMessage(l10n.t("{0} contains this change now.", name));
    if ((await window.showInformationMessage(done, send)) === send)
      await commands.executeCommand("ideCompanion.sendFiles", vscode.Uri.file(filePath));
  }

  const subscriptions = vscode.Disposable.from(
    view,
    documents,
    commands.registerCommand("ideCompanion.history", async (target: unknown) => {
      const decision = isDecision(target) ? target : await chooseDecision(list());
      const trouble = decision && (await documents.show(decision.id));
      if (trouble !== undefined) void window.showInformationMessage(toMessage(trouble));
    }),
    commands.registerCommand("ideCompanion.undoChange", (target: unknown) => offer("undo", target)),
    commands.registerCommand("ideCompanion.proposeAgain", (target: unknown) => offer("reapply", target)),
    commands.registerCommand("ideCompanion.acceptAfterAll", (target: unknown) => offer("reapply", target)),
    commands.registerCommand("ideCompanion.writeShown", write),
  );
  return {
    attach(running) {
      history = running.history;
      view.refresh();
    },
    handle({ kind }) {
      if (kind === "diff-settled" || kind === "file-checked") view.refresh();
    },
    dispose: () => subscriptions.dispose(),
  };
}

/** VS Code passes other arguments to commands as well. */
function isDecision(value: unknown): value is PastDecision {
  return typeof value === "object" && value !== null && "id" in value && "outcome" in value;
}

/** Lets the user choose from a list, and search in it. Shows a message when it is empty. */
async function chooseDecision(all: readonly PastDecision[]): Promise<PastDecision | undefined> {
  const { l10n, window } = vscode;
  if (all.length === 0) {
    void window.showInformationMessage(l10n.t("Nothing has been decided here yet."));
    return undefined;
  }
  const items = all.map((decision) => ({
    label: `$(${icons[decision.outcome]}) ${nameOf(decision)}`,
    description: originOf(decision),
    detail: describeOutcome(decision),
    decision,
  }));
  const options = {
    placeHolder: l10n.t("Decisions of the last 30 days: search by file, agent or outcome"),
    matchOnDescription: true,
    matchOnDetail: true,
  };
  return (await window.showQuickPick(items, options))?.decision;
}

const icons = { accepted: "check", rejected: "close", closed: "circle-slash" } as const;

const nameOf = ({ filePath }: PastDecision) => vscode.workspace.asRelativePath(filePath);

/** The outcome, and whether the file was written. */
function describeOutcome({ code, agent, fileResult, later }: PastDecision): string {
  const { l10n } = vscode;
  const results = {
    written: l10n.t("written"),
    "not-written": l10n.t("not written to the file"),
    overwritten: l10n.t("overwritten"),
  };
  const laters = { undone: l10n.t("undone"), reapplied: l10n.t("accepted after all") };
  return [say(outcomes[code], agent), fileResult && results[fileResult], later && laters[later]]
    .filter(Boolean)
    .join(", ");
}

/** A row of the list in the side bar. */
function toTreeItem(decision: PastDecision): vscode.TreeItem {
  const outcome = describeOutcome(decision);
  const item = new vscode.TreeItem(basename(decision.filePath));
  item.id = decision.id;
  const folder = folderOf(decision.filePath);
  item.description = [folder, outcome, originOf(decision)].filter(Boolean).join(" · ");
  item.tooltip = new vscode.MarkdownString(
    [nameOf(decision), outcome, originOf(decision)].map(toMarkdown).join("\n\n"),
  );
  item.accessibilityInformation = { label: `${nameOf(decision)}, ${outcome}, ${originOf(decision)}` };
  item.iconPath = new vscode.ThemeIcon(icons[decision.outcome]);
  item.contextValue = `decision.${decision.outcome}`;
  item.command = {
    command: "ideCompanion.history",
    title: vscode.l10n.t("Review"),
    arguments: [decision],
  };
  return item;
}
