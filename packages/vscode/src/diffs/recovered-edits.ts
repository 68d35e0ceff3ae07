import type { CompanionEvent, Edits, RecoveredEdits, RecoveredEditsSummary } from "ide-companion";
import { explainReason, readFileText } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { commands, l10n, window, workspace } from "vscode";
import { Announcements } from "../notifications.ts";
import { toMessage } from "../plain-text.ts";
import { say } from "../wording.ts";
import { nameOf, tabNameOf } from "../workspace.ts";
import { ListView, originOf } from "./list-view.ts";
import { isShownByVscode } from "./open-proposal.ts";
import { serveTexts } from "./proposal-documents.ts";
import { activeSide, closeTabs, openDiff, tabsWhere } from "./proposal-views.ts";

/** More recovered edits than these get one notification together. */
const maxNotifications = 3;

/** Announces, lists, shows, restores and discards what the user typed in proposals and no file contains. */
export class RecoveredEditsUi implements vscode.Disposable {
  readonly #edits: Edits;
  readonly #announcements: Announcements<RecoveredEditsSummary>;
  readonly #view: ListView<RecoveredEditsSummary>;
  readonly #subscriptions: vscode.Disposable;

  constructor(edits: Edits, memory: vscode.Memento) {
    this.#edits = edits;
    const list = () => edits.list();
    this.#announcements = new Announcements({ memory, key: "answeredEdits", list });
    this.#view = new ListView("ideCompanion.edits", "ideCompanion.recoveredEdits", {
      list,
      toRow: (one) => ({ detail: explainReason(one, say), contextValue: "edits" }),
      none: l10n.t("There are no recovered edits."),
      placeHolder: l10n.t("What you typed in proposed changes, and no file holds"),
    });
    this.#subscriptions = vscode.Disposable.from(
      ...[this.#announcements, this.#view],
      serveTexts([editsScheme], {
        provideTextDocumentContent: async ({ query, fragment, fsPath }) => {
          if (fragment === "") return edits.read(query)?.text ?? "";
          const file = await readFileText(fsPath);
          return file.kind === "text" ? file.text : "";
        },
      }),
      this.#view.on("recoveredEdits", showEdits),
      this.#view.on("restoreEdits", (found) => this.#restore(found), activeEditsId),
      this.#view.on("discardEdits", (found) => this.#discard(found), activeEditsId),
      // Edits leave the list when the user has saved them in a file.
      workspace.onDidSaveTextDocument(() => this.#refresh()),
    );
    this.#announcements.start(() => {
      this.#refresh();
      const { news } = this.#announcements;
      if (news.length > maxNotifications) void this.#announceMany(news);
      else for (const each of news) void this.#announce(each);
    });
  }

  handle(event: CompanionEvent): void {
    if (event.kind === "edits-recovered") void this.#announce(event.edits);
    if (event.kind === "edits-changed") this.#refresh();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #refresh(): void {
    this.#view.refresh();
    const count = this.#edits.list().length;
    void commands.executeCommand("setContext", "ideCompanion.recovered", count);
  }

  async #announce(news: RecoveredEditsSummary): Promise<void> {
    const name = nameOf(news.filePath);
    const message = l10n.t("Your edits of {0} are recovered. {1}", name, explainReason(news, say));
    const show = l10n.t("Show my edits");
    if ((await this.#announcements.show([news], message, show)) === show) await showEdits(news);
  }

  async #announceMany(news: readonly RecoveredEditsSummary[]): Promise<void> {
    const message = l10n.t("Your edits of {0} proposed changes are recovered.", news.length);
    const show = l10n.t("Show my edits");
    if ((await this.#announcements.show(news, message, show)) === show)
      await commands.executeCommand("ideCompanion.recoveredEdits");
  }

  async #restore({ id }: RecoveredEditsSummary): Promise<void> {
    const whole = this.#edits.read(id);
    if (!whole) return;
    await closeEdits(id);
    await restoreEdits(whole);
  }

  async #discard(found: RecoveredEditsSummary): Promise<void> {
    if (!(await confirmDiscarding(found))) return;
    this.#edits.discard(found.id);
    await closeEdits(found.id);
    this.#refresh();
  }
}

/** Asks whether to discard the edits. */
async function confirmDiscarding(edits: RecoveredEditsSummary): Promise<boolean> {
  const discard = l10n.t("Discard");
  const message = toMessage(l10n.t("Discard your edits of {0}?", nameOf(edits.filePath)));
  const detail = toMessage(l10n.t("{0}. Nothing brings them back after that.", originOf(edits)));
  return (await window.showWarningMessage(message, { modal: true, detail }, discard)) === discard;
}

/** The scheme of documents with recovered edits, and of those on the other side when VS Code cannot show the file. */
const editsScheme = "ide-companion-edits";

/** Shows a diff from the current file to the edits. */
async function showEdits({ id, filePath }: RecoveredEditsSummary): Promise<void> {
  const uri = vscode.Uri.file(filePath).with({ scheme: editsScheme, query: id });
  const file = await readFileText(filePath);
  const isShown = file.kind === "text" && isShownByVscode(file.text);
  const left = isShown ? vscode.Uri.file(filePath) : uri.with({ fragment: "disk" });
  const title = l10n.t("{0} (your recovered edits)", tabNameOf(filePath));
  await openDiff(left, uri, title);
}

const closeEdits = (id: string): Promise<void> => closeTabs(tabsWhere((side) => idOf(side) === id));

/** The id of the edits in the active tab. */
const activeEditsId = (): string | undefined => idOf(activeSide());

const idOf = (uri: vscode.Uri | undefined): string | undefined =>
  uri?.scheme === editsScheme ? uri.query : undefined;

/** Puts recovered edits into their file's editor, unsaved: the user checks, saves or undoes them. */
async function restoreEdits({ filePath, text }: RecoveredEdits): Promise<void> {
  const uri = vscode.Uri.file(filePath);
  // A missing file opens as a new document that VS Code saves at the same path.
  const document = await workspace
    .openTextDocument(uri)
    .then(undefined, () => workspace.openTextDocument(uri.with({ scheme: "untitled" })));
  const edit = new vscode.WorkspaceEdit();
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  edit.set(document.uri, [
    vscode.TextEdit.setEndOfLine(endOf(text)),
    vscode.TextEdit.replace(whole, text.replace(/^\uFEFF/, "")),
  ]);
  await workspace.applyEdit(edit);
  await window.showTextDocument(document, { preview: false });
}

const endOf = (text: string): vscode.EndOfLine =>
  /^[^\n]*\r\n/.test(text) ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
