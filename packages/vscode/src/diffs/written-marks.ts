import {
  type HunkChoice,
  type PlacedHunk,
  rangeOf,
  touches,
  type WrittenFrontend,
} from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { toMarkdown, toMessage } from "../plain-text.ts";
import { replaceRange } from "./open-proposal.ts";

export type Action = "keep" | "revert";

/** Of quiet before the marks follow what was typed, in milliseconds. */
const burst = 150;

/** Marks what agents wrote in the files themselves, and decides about it hunk by hunk. */
export class WrittenMarks {
  readonly #drawn = new vscode.EventEmitter<void>();
  readonly #written: WrittenFrontend;
  readonly #types: readonly vscode.TextEditorDecorationType[];
  readonly #subscriptions: readonly vscode.Disposable[];
  #timer: NodeJS.Timeout | undefined;

  constructor(written: WrittenFrontend) {
    this.#written = written;
    const { languages, window, workspace } = vscode;
    const paint = (colour: string) => ({
      isWholeLine: true,
      overviewRulerLane: vscode.OverviewRulerLane.Left,
      overviewRulerColor: new vscode.ThemeColor(`editorOverviewRuler.${colour}Foreground`),
    });
    this.#types = [
      window.createTextEditorDecorationType({
        ...paint("added"),
        backgroundColor: new vscode.ThemeColor("diffEditor.insertedLineBackground"),
      }),
      window.createTextEditorDecorationType({
        ...{ ...paint("deleted"), borderStyle: "dashed", borderWidth: "2px 0 0 0" },
        borderColor: new vscode.ThemeColor("editorGutter.deletedBackground"),
      }),
    ];
    this.#subscriptions = [
      ...[this.#drawn, ...this.#types],
      languages.registerCodeLensProvider(
        { scheme: "file" },
        {
          onDidChangeCodeLenses: this.#drawn.event,
          provideCodeLenses: (document) =>
            this.placedIn(document).flatMap((each) => this.#lensesOf(document, each)),
        },
      ),
      workspace.onDidOpenTextDocument(() => this.#follow()),
      workspace.onDidCloseTextDocument(() => this.#follow()),
      workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === "file") this.#drawSoon();
      }),
      window.onDidChangeVisibleTextEditors(() => this.draw()),
    ];
    this.#follow();
  }

  placedIn(document: vscode.TextDocument): readonly PlacedHunk[] {
    return this.#written.placedIn(document.uri.fsPath, document.getText());
  }

  /** The documents in which the user has reverted all that agents wrote, and not saved that. */
  reverted(): readonly string[] {
    return vscode.workspace.textDocuments
      .filter((document) => document.isDirty && this.placedIn(document).length === 0)
      .map(({ uri }) => uri.fsPath);
  }

  /** The hunks at the cursor, or in the selection. */
  at({ document, selection: { start, end } }: vscode.TextEditor): HunkChoice | undefined {
    const placed = this.placedIn(document).filter(({ hunk }) => touches(hunk, { start, end }));
    const ids = placed.map(({ written }) => written.id);
    return this.#written.choose(document.uri.fsPath, ids);
  }

  /** Edits the document, and saves it where it had no unsaved edits. @throws Error with a sentence */
  async decide(action: Action, choice: HunkChoice): Promise<void> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(choice.filePath));
    const text = document.getText();
    const edits = await this.#written.decide(action, choice, text);
    if (edits.length > 0 && document.getText() !== text)
      throw new Error(vscode.l10n.t("The file has changed since you looked at it. Look at it once more."));
    const wasDirty = document.isDirty;
    const edit = new vscode.WorkspaceEdit();
    for (const each of edits) replaceRange(edit, document.uri, each);
    if (edits.length > 0) await vscode.workspace.applyEdit(edit);
    if (edits.length > 0 && !wasDirty) await document.save();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #follow(): void {
    const files = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === "file");
    this.#written.open(files.map(({ uri }) => uri.fsPath));
  }

  #drawSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.draw(), burst);
  }

  draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.scheme !== "file") continue;
      const placed = this.placedIn(editor.document);
      const [written, gone] = this.#types;
      const optionsOf = (isGone: boolean) =>
        placed.filter(({ hunk }) => (hunk.added.length === 0) === isGone).map(toDecoration);
      if (written) editor.setDecorations(written, optionsOf(false));
      if (gone) editor.setDecorations(gone, optionsOf(true));
    }
    this.#drawn.fire();
  }

  #lensesOf(
    { uri: { fsPath: filePath } }: vscode.TextDocument,
    { hunk, written }: PlacedHunk,
  ): vscode.CodeLens[] {
    const { l10n } = vscode;
    const target = this.#written.choose(filePath, [written.id]);
    const { line } = rangeOf(hunk).start;
    const lens = (title: string, command: string, argument: unknown) =>
      new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
        ...{ title, command: `ideCompanion.${command}`, arguments: [argument] },
      });
    return [
      lens(`$(check) ${l10n.t("Keep")}`, "keepWritten", target),
      lens(`$(discard) ${l10n.t("Revert")}`, "revertWritten", target),
      lens(toMessage(`${written.agent}, +${written.added} −${written.removed.length}`), "showWritten", {
        id: this.#written.idOf(written.turn, filePath),
      }),
    ];
  }
}

function toDecoration({ hunk, written }: PlacedHunk): vscode.DecorationOptions {
  const { start, end } = rangeOf(hunk);
  const title = toMarkdown(`${written.agent}, +${written.added} −${written.removed.length}`);
  const hoverMessage = new vscode.MarkdownString(title);
  if (written.removed.length > 0) hoverMessage.appendCodeblock(written.removed.join("\n"));
  return { range: new vscode.Range(start.line, start.character, end.line, end.character), hoverMessage };
}

export const isTarget = (given: unknown): given is HunkChoice =>
  typeof given === "object" && given !== null && "revision" in given && "ids" in given;
