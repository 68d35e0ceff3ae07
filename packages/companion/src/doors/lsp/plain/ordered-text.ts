import type { Position, Range, TextDocumentContentChangeEvent } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";

/** So many changes are remembered, because an earlier one may still come. */
const remembered = 64;

interface Edit {
  readonly version: number;
  readonly changes: TextDocumentContentChangeEvent[];
}

/**
 * A text that an editor tells by its changes, which may overtake each other: Helix 25.01 on a busy machine sends what was
 * typed fast in any order. Their versions tell in which order they were made.
 */
export class OrderedText {
  /** As it was before the remembered changes. */
  readonly #before: TextDocument;
  #edits: Edit[] = [];
  #now: TextDocument;

  constructor(text: string, version: number) {
    this.#before = create(text, version);
    this.#now = create(text, version);
  }

  /** That of the latest change. */
  get version(): number {
    return this.#now.version;
  }

  /** @param range all of it by default */
  get(range?: Range): string {
    return this.#now.getText(range);
  }

  /** @param offset in UTF-16 units */
  positionAt(offset: number): Position {
    return this.#now.positionAt(offset);
  }

  edit(changes: TextDocumentContentChangeEvent[], version: number): void {
    const edit = { version, changes };
    const place = this.#edits.findLastIndex((other) => other.version <= version) + 1;
    const isLate = place < this.#edits.length;
    this.#edits.splice(place, 0, edit);
    if (isLate) this.#make();
    else apply(this.#now, edit);
    if (this.#edits.length >= 2 * remembered) this.#forget();
  }

  #make(): void {
    this.#now = create(this.#before.getText(), this.#before.version);
    for (const edit of this.#edits) apply(this.#now, edit);
  }

  #forget(): void {
    for (const edit of this.#edits.slice(0, remembered)) apply(this.#before, edit);
    this.#edits = this.#edits.slice(remembered);
  }
}

const create = (text: string, version: number) => TextDocument.create("", "", version, text);

/** Changes the document itself. */
function apply(document: TextDocument, { changes, version }: Edit): void {
  TextDocument.update(document, changes, version);
}
