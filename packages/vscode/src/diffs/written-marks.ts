import {
  type HunkChoice,
  type PlacedHunk,
  rangeOf,
  touches,
  type WrittenFrontend,
} from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { l10n, window, workspace } from "vscode";
import { toMarkdown, toMessage } from "../plain-text.ts";
import { applyEdits, toRange } from "./open-proposal.ts";

export type Action = "keep" | "revert";

/** Of quiet before the marks follow what was typed, in milliseconds. */
const burst = 150;

/** Marks what agents wrote in the files themselves, and decides about it hunk by hunk. */
export class WrittenMarks {
  readonly #drawn = new vscode.EventEmitter<void>();
  readonly #written: WrittenFrontend;
  readonly #types: ReadonlyMap<Kind, vscode.TextEditorDecorationType>;
  readonly #subscriptions: readonly vscode.Disposable[];
  #timer: NodeJS.Timeout | undefined;

  constructor(written: WrittenFrontend) {
    this.#written = written;
    const { languages } = vscode;
    const create = (kind: Kind, look: vscode.DecorationRenderOptions) =>
      window.createTextEditorDecorationType({
        isWholeLine: true,
        overviewRulerLane: vscode.OverviewRulerLane.Left,
        overviewRulerColor: new vscode.ThemeColor(`editorOverviewRuler.${kind}Foreground`),
        light: { gutterIconPath: toIcon(signs[kind].path, signs[kind].light) },
        dark: { gutterIconPath: toIcon(signs[kind].path, signs[kind].dark) },
        ...look,
      });
    const lines = { backgroundColor: new vscode.ThemeColor("diffEditor.insertedLineBackground") };
    const borderColor = new vscode.ThemeColor("editorGutter.deletedBackground");
    this.#types = new Map([
      ["added", create("added", lines)],
      ["modified", create("modified", lines)],
      ["deleted", create("deleted", { borderStyle: "dashed", borderWidth: "2px 0 0 0", borderColor })],
    ]);
    this.#subscriptions = [
      ...[this.#drawn, ...this.#types.values()],
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
    return workspace.textDocuments
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
    const document = await workspace.openTextDocument(vscode.Uri.file(choice.filePath));
    const text = document.getText();
    const edits = await this.#written.decide(action, choice, text);
    if (edits.length > 0 && document.getText() !== text)
      throw new Error(l10n.t("The file has changed since you looked at it. Look at it once more."));
    const wasDirty = document.isDirty;
    await applyEdits(document.uri, edits);
    if (edits.length > 0 && !wasDirty) await document.save();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  #follow(): void {
    const files = workspace.textDocuments.filter(({ uri }) => uri.scheme === "file");
    this.#written.open(files.map(({ uri }) => uri.fsPath));
  }

  #drawSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.draw(), burst);
  }

  draw(): void {
    for (const editor of window.visibleTextEditors) {
      if (editor.document.uri.scheme !== "file") continue;
      const placed = this.placedIn(editor.document);
      for (const [kind, type] of this.#types) {
        const own = placed.filter((each) => kindOf(each) === kind);
        editor.setDecorations(type, own.map(toDecoration));
      }
    }
    this.#drawn.fire();
  }

  #lensesOf(
    { uri: { fsPath: filePath } }: vscode.TextDocument,
    { hunk, written }: PlacedHunk,
  ): vscode.CodeLens[] {
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

/** What stands in the gutter, left of the line numbers: git's marks are right of them. */
const signs = {
  added: { path: "M8 3v10M3 8h10", light: "#2c7a3f", dark: "#4fc26b" },
  modified: { path: "M2.5 9.5c2-4 4-4 5.5-1.5s3.5 2.5 5.5-1.5", light: "#1b6ac9", dark: "#58a6ff" },
  deleted: { path: "M3 8h10", light: "#c4242c", dark: "#f4716c" },
};

type Kind = keyof typeof signs;

function kindOf({ hunk: { added, removed } }: PlacedHunk): Kind {
  if (added.length === 0) return "deleted";
  return removed.length === 0 ? "added" : "modified";
}

function toIcon(path: string, colour: string): vscode.Uri {
  const line = `<path d="${path}" stroke="${colour}" stroke-width="2" stroke-linecap="round" fill="none"/>`;
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">${line}</svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(picture).toString("base64")}`);
}

function toDecoration({ hunk, written }: PlacedHunk): vscode.DecorationOptions {
  const title = toMarkdown(`${written.agent}, +${written.added} −${written.removed.length}`);
  const hoverMessage = new vscode.MarkdownString(title);
  if (written.removed.length > 0) hoverMessage.appendCodeblock(written.removed.join("\n"));
  return { range: toRange(rangeOf(hunk)), hoverMessage };
}

export const isTarget = (given: unknown): given is HunkChoice =>
  typeof given === "object" && given !== null && "revision" in given && "ids" in given;
