import { type Chunk, getChunks, getOriginalDoc } from "@codemirror/merge";
import { type EditorState, type Extension, Prec } from "@codemirror/state";
import { type BlockInfo, type EditorView, GutterMarker, gutter, type WidgetType } from "@codemirror/view";
import { hasOtherChunks } from "./visible-decorations.ts";

/** Marks changed lines by + and −. */
export function changeGutter(side: "original" | "draft"): Extension {
  const marks = gutter({
    class: "cm-changeGutter",
    lineMarker: ({ state }, { from }) => (isChanged(state, from, side) ? changedLine : null),
    widgetMarker: (view, widget, block) => removedLines(view, widget, block, false),
    lineMarkerChange: (update) => update.docChanged || hasOtherChunks(update),
  });
  return Prec.low(marks);
}

/** The old numbers of unchanged and of removed lines, in the unified view. @param events as those of the new numbers */
export function oldNumbers(events: Pick<Parameters<typeof gutter>[0], "domEventHandlers"> = {}): Extension {
  return gutter({
    ...events,
    class: "cm-lineNumbers cm-oldNumbers",
    lineMarker: ({ state }, { from }) => oldNumberOf(state, from),
    widgetMarker: (view, widget, block) => removedLines(view, widget, block, true),
    lineMarkerChange: (update) => update.docChanged || hasOtherChunks(update),
    initialSpacer: ({ state }) => new OldNumber(getOriginalDoc(state).lines),
  });
}

class OldNumber extends GutterMarker {
  readonly #line: number;

  constructor(line: number) {
    super();
    this.#line = line;
  }

  override eq(other: GutterMarker): boolean {
    return other instanceof OldNumber && other.#line === this.#line;
  }

  override toDOM(): Text {
    return document.createTextNode(String(this.#line));
  }
}

function oldNumberOf(state: EditorState, from: number): OldNumber | null {
  if (isChanged(state, from, "draft") || isAfterLastLine(state, from)) return null;
  const above = getChunks(state)?.chunks.findLast(({ toB }) => toB <= from);
  const original = getOriginalDoc(state);
  const at = from + (above ? above.toA - above.toB : 0);
  return at > original.length ? null : new OldNumber(original.lineAt(at).number);
}

/** The old number of the removed line next to which an element of the gutters is. */
export function removedLineAt(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-removed-line]") : null;
  return row ? Number(row.dataset.removedLine) : undefined;
}

/** Whether a position is in the empty line after the last line end, which is no line of the file and has no number. */
export function isAfterLastLine({ doc }: EditorState, from: number): boolean {
  return from === doc.length && doc.lineAt(from).from === from;
}

/** Gives an element of the gutters a class. */
export class GutterClass extends GutterMarker {
  override elementClass: string;

  constructor(elementClass: string) {
    super();
    this.elementClass = elementClass;
  }
}

const changedLine = new GutterClass("cm-changedLineGutter");

function isChanged(state: EditorState, at: number, side: "original" | "draft"): boolean {
  if (isAfterLastLine(state, at)) return false;
  const chunks = getChunks(state)?.chunks ?? [];
  return chunks.some(({ fromA, toA, fromB, toB }) =>
    side === "original" ? fromA <= at && at < toA : fromB <= at && at < toB,
  );
}

/** One row for each removed line of a chunk. */
class RemovedLines extends GutterMarker {
  override elementClass: string;
  /** What the merge view draws for the chunk. */
  readonly #drawn: HTMLElement;
  readonly #first: number;
  readonly #isNumbered: boolean;

  constructor(drawn: HTMLElement, first: number, isNumbered: boolean) {
    super();
    this.elementClass = isNumbered ? "" : "cm-deletedLineGutter";
    this.#drawn = drawn;
    this.#first = first;
    this.#isNumbered = isNumbered;
  }

  override eq(other: GutterMarker): boolean {
    return other instanceof RemovedLines && other.#drawn === this.#drawn && other.#first === this.#first;
  }

  override toDOM(): HTMLElement {
    const rows = document.createElement("div");
    for (const [index] of [...linesIn(this.#drawn)].entries()) {
      const row = rows.appendChild(document.createElement("div"));
      const line = this.#first + index;
      row.dataset.removedLine = String(line);
      row.textContent = this.#isNumbered ? String(line) : "−";
    }
    rows.className = "cm-removedRows";
    alignRows(rows, this.#drawn);
    return rows;
  }
}

/** Rows are as high as the removed lines, which may be wrapped. */
function alignRows(rows: HTMLElement, drawn: HTMLElement): void {
  const observer = new ResizeObserver(() => {
    if (!rows.isConnected) return observer.disconnect();
    for (const [index, line] of [...linesIn(drawn)].entries()) {
      const row = rows.children[index];
      if (row instanceof HTMLElement) row.style.height = `${line.getBoundingClientRect().height}px`;
    }
  });
  observer.observe(drawn);
}

const linesIn = (drawn: HTMLElement) => drawn.querySelectorAll<HTMLElement>(".cm-deletedLine");

function removedLines(
  { state }: EditorView,
  widget: WidgetType,
  { from }: BlockInfo,
  isNumbered: boolean,
): GutterMarker | null {
  const drawn = "dom" in widget && widget.dom;
  if (!(drawn instanceof HTMLElement) || !drawn.classList.contains("cm-deletedChunk")) return null;
  const chunk = removedAt(state, from);
  if (!chunk) return null;
  return new RemovedLines(drawn, getOriginalDoc(state).lineAt(chunk.fromA).number, isNumbered);
}

function removedAt(state: EditorState, from: number): Chunk | undefined {
  const original = getOriginalDoc(state);
  return getChunks(state)?.chunks.find(
    ({ fromA, toA, fromB }) => fromB === from && fromA < toA && fromA <= original.length,
  );
}
