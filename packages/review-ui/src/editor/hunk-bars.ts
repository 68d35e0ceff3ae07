import {
  type EditorState,
  type Extension,
  RangeSetBuilder,
  StateField,
  type Transaction,
} from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutterWidgetClass,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from "@codemirror/view";
import { currentHunk, type Hunk, hunksOf, revertHunk, setViewed, viewedPositions } from "./hunks.ts";
import { phrase } from "./phrase.ts";
import { hasOtherChunks } from "./visible-decorations.ts";

export interface HunkBarOptions {
  /** `original`: the left side, whose bars only name the hunk. */
  readonly side: "original" | "draft";
  readonly isSideBySide: boolean;
  /** False when the bytes of the original are unknown. */
  readonly canRevert: boolean;
  /** Called when the button that had the focus is gone with its bar. */
  readonly onLeave?: (() => void) | undefined;
}

/** More hunks than this have no bars: nobody reviews them one by one. */
const maxBars = 2000;
/** With more hunks than this, labels have no line numbers, which would have to be counted with every key. */
const maxDescribed = 300;

/** Continues the bar through the gutters. */
class HunkGutter extends GutterMarker {
  override elementClass: string;

  constructor(elementClass: string) {
    super();
    this.elementClass = elementClass;
  }
}

const hunkGutter = new HunkGutter("hunk-gutter");
const floatingGutter = new HunkGutter("hunk-gutter hunk-gutter-floating");

/** Shows a bar above each hunk with its number, Viewed and Revert. */
export function hunkBars(options: HunkBarOptions): Extension {
  const field: StateField<DecorationSet> = StateField.define<DecorationSet>({
    create: (state) => buildBars(state, options),
    update: (bars, transaction) => (isAffected(transaction) ? buildBars(transaction.state, options) : bars),
    provide: (self) => EditorView.decorations.from(self),
  });
  const gutter = gutterWidgetClass.of((_view, widget) => {
    if (!(widget instanceof HunkBar)) return null;
    return widget.isFloating ? floatingGutter : hunkGutter;
  });
  return [options.side === "draft" ? viewedPositions : [], field, gutter, visibleWidth];
}

function isAffected(transaction: Transaction): boolean {
  const { state, startState, docChanged } = transaction;
  return (
    docChanged ||
    hasOtherChunks(transaction) ||
    state.field(viewedPositions, false) !== startState.field(viewedPositions, false) ||
    (state.selection !== startState.selection && currentHunk(state)?.index !== currentHunk(startState)?.index)
  );
}

function buildBars(state: EditorState, options: HunkBarOptions): DecorationSet {
  const hunks = hunksOf(state);
  if (hunks.length > maxBars) return Decoration.none;
  const builder = new RangeSetBuilder<Decoration>();
  const current = options.side === "draft" ? currentHunk(state)?.index : undefined;
  for (const hunk of hunks) {
    const { fromA, toA, fromB, toB } = hunk.chunk;
    const [from, to] = options.side === "draft" ? [fromB, toB] : [fromA, toA];
    const at = Math.min(from, state.doc.length);
    const widget = new HunkBar(
      {
        hunk,
        lines: hunks.length > maxDescribed ? "" : describe(state, hunk, options.side),
        isCurrent: hunk.index === current,
      },
      options.isSideBySide && from === to,
      options,
    );
    // Above the deleted lines (side -1 in the unified view) and the spacers of the side-by-side view.
    builder.add(at, at, Decoration.widget({ widget, block: true, side: -2 }));
  }
  return builder.finish();
}

function describe(state: EditorState, { chunk }: Hunk, side: HunkBarOptions["side"]): string {
  const { doc } = state;
  const [from, to] = side === "draft" ? [chunk.fromB, chunk.toB] : [chunk.fromA, chunk.toA];
  const line = doc.lineAt(Math.min(from, doc.length)).number;
  if (from === to) return phrase(state, side === "draft" ? "removed before $1" : "added before $1", line);
  const last = doc.lineAt(Math.min(to - 1, doc.length)).number;
  return last > line ? phrase(state, "lines $1–$2", line, last) : phrase(state, "line $1", line);
}

interface BarText {
  readonly hunk: Hunk;
  readonly lines: string;
  readonly isCurrent: boolean;
}

class HunkBar extends WidgetType {
  readonly #text: BarText;
  /**
   * The bar has no height and covers the spacer. On a side without lines of the hunk it is above the next equal line.
   * The merge view aligns that line with everything above it, so a bar with a height would move the line down.
   */
  readonly isFloating: boolean;
  readonly #options: HunkBarOptions;

  constructor(text: BarText, isFloating: boolean, options: HunkBarOptions) {
    super();
    this.#text = text;
    this.isFloating = isFloating;
    this.#options = options;
  }

  override eq(other: HunkBar): boolean {
    const [one, two] = [this.#text, other.#text];
    return (
      one.hunk.index === two.hunk.index &&
      one.hunk.total === two.hunk.total &&
      one.hunk.isViewed === two.hunk.isViewed &&
      one.lines === two.lines &&
      one.isCurrent === two.isCurrent &&
      this.isFloating === other.isFloating
    );
  }

  override get estimatedHeight(): number {
    return this.isFloating ? 0 : 28;
  }

  override toDOM(view: EditorView): HTMLElement {
    const { hunk, lines, isCurrent } = this.#text;
    const row = document.createElement("div");
    row.className = `hunk-row${this.isFloating ? " hunk-floating" : ""}`;
    const bar = row.appendChild(document.createElement("div"));
    bar.className = `hunk-bar${isCurrent ? " hunk-current" : ""}${hunk.isViewed ? " hunk-viewed" : ""}`;
    const name = bar.appendChild(document.createElement("span"));
    name.className = "hunk-name";
    if (this.#options.side === "original") {
      name.textContent = lines;
      return row;
    }
    name.textContent = phrase(view.state, "Change $1 of $2", hunk.index + 1, hunk.total);
    const where = bar.appendChild(document.createElement("span"));
    where.className = "hunk-lines";
    where.textContent = lines;
    bar.append(this.#viewedButton(view), ...(this.#options.canRevert ? [this.#revertButton(view)] : []));
    return row;
  }

  /** A button that has the focus is drawn with it. */
  override updateDOM(row: HTMLElement, view: EditorView): boolean {
    const buttons = () => [...row.querySelectorAll("button")];
    const focused = buttons().findIndex((button) => button.matches(":focus"));
    const fresh = this.toDOM(view);
    row.className = fresh.className;
    row.replaceChildren(...fresh.childNodes);
    buttons()[focused]?.focus({ preventScroll: true });
    return true;
  }

  #viewedButton(view: EditorView): HTMLElement {
    const { index, isViewed } = this.#text.hunk;
    const button = createButton(
      phrase(view.state, "Viewed"),
      phrase(view.state, "Mark change $1 as viewed", index + 1),
    );
    button.setAttribute("aria-pressed", String(isViewed));
    button.addEventListener("click", () => {
      const hunk = hunksOf(view.state)[index];
      if (hunk) view.dispatch({ effects: setViewed.of({ at: hunk.from, viewed: !hunk.isViewed }) });
    });
    return button;
  }

  #revertButton(view: EditorView): HTMLElement {
    const { index } = this.#text.hunk;
    const button = createButton(
      phrase(view.state, "Revert"),
      phrase(view.state, "Revert change $1: leave these lines as they are on disk", index + 1),
    );
    button.addEventListener("click", () => {
      const hunk = hunksOf(view.state)[index];
      if (hunk) revertHunk(view, hunk);
      if (document.activeElement === document.body) this.#options.onLeave?.();
    });
    return button;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function createButton(text: string, label: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "hunk-button";
  button.textContent = text;
  button.title = label;
  button.setAttribute("aria-label", label);
  return button;
}

/**
 * Sets custom properties to the width of the gutters and of the visible text, so that widgets between the lines stay
 * visible when long lines are scrolled horizontally.
 */
const visibleWidth = ViewPlugin.fromClass(
  class {
    constructor(view: EditorView) {
      measureWidth(view);
    }

    update({ view, geometryChanged }: ViewUpdate): void {
      if (geometryChanged) measureWidth(view);
    }
  },
);

function measureWidth(view: EditorView): void {
  view.requestMeasure({
    key: measureWidth,
    read: () => {
      const gutters = view.scrollDOM.querySelector<HTMLElement>(".cm-gutters")?.offsetWidth ?? 0;
      return { gutters, text: view.scrollDOM.clientWidth - gutters };
    },
    write: ({ gutters, text }) => {
      view.scrollDOM.style.setProperty("--gutters-width", `${gutters}px`);
      view.scrollDOM.style.setProperty("--text-width", `${text}px`);
    },
  });
}
