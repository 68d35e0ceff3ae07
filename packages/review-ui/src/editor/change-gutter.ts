import { type Chunk, getChunks, getOriginalDoc } from "@codemirror/merge";
import { type EditorState, type Extension, Prec } from "@codemirror/state";
import {
  type BlockInfo,
  type EditorView,
  GutterMarker,
  gutter,
  lineNumberWidgetMarker,
  type WidgetType,
} from "@codemirror/view";
import { hasOtherChunks } from "./visible-decorations.ts";

/** Marks changed lines by + and −. In the unified view, removed lines also have their old numbers. */
export function changeGutter(side: "original" | "draft"): Extension {
  const marks = gutter({
    class: "cm-changeGutter",
    lineMarker: ({ state }, { from }) => (isChanged(state, from, side) ? changedLine : null),
    widgetMarker: (view, widget, block) => removedLines(view, widget, block, () => "−"),
    lineMarkerChange: (update) => update.docChanged || hasOtherChunks(update),
  });
  const numbers = lineNumberWidgetMarker.of((view, widget, block) =>
    removedLines(view, widget, block, String),
  );
  return [Prec.low(marks), numbers];
}

/** The old number of the removed line next to which an element of the gutters is. */
export function removedLineAt(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-removed-line]") : null;
  return row ? Number(row.dataset.removedLine) : undefined;
}

/** Whether a position is in the empty line after the last line end, which is no line of the file. */
export function isAfterLastLine({ doc }: EditorState, from: number): boolean {
  return from === doc.length && doc.lineAt(from).from === from;
}

const changedLine = new (class extends GutterMarker {
  override elementClass = "cm-changedLineGutter";
})();

function isChanged(state: EditorState, at: number, side: "original" | "draft"): boolean {
  if (isAfterLastLine(state, at)) return false;
  const chunks = getChunks(state)?.chunks ?? [];
  return chunks.some(({ fromA, toA, fromB, toB }) =>
    side === "original" ? fromA <= at && at < toA : fromB <= at && at < toB,
  );
}

/** One row for each removed line of a chunk. */
class RemovedLines extends GutterMarker {
  override elementClass = "cm-deletedLineGutter";
  /** What the merge view draws for the chunk. */
  readonly #drawn: HTMLElement;
  readonly #first: number;
  readonly #toText: (line: number) => string;

  constructor(drawn: HTMLElement, first: number, toText: (line: number) => string) {
    super();
    this.#drawn = drawn;
    this.#first = first;
    this.#toText = toText;
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
      row.textContent = this.#toText(line);
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
  toText: (line: number) => string,
): GutterMarker | null {
  const drawn = "dom" in widget && widget.dom;
  if (!(drawn instanceof HTMLElement) || !drawn.classList.contains("cm-deletedChunk")) return null;
  const chunk = removedAt(state, from);
  if (!chunk) return null;
  return new RemovedLines(drawn, getOriginalDoc(state).lineAt(chunk.fromA).number, toText);
}

function removedAt(state: EditorState, from: number): Chunk | undefined {
  const original = getOriginalDoc(state);
  return getChunks(state)?.chunks.find(
    ({ fromA, toA, fromB }) => fromB === from && fromA < toA && fromA <= original.length,
  );
}
