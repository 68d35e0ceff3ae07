import { getChunks } from "@codemirror/merge";
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
  WidgetType,
} from "@codemirror/view";
import { currentHunk, type Hunk, hunksOf, keptPlaces, setKept, takeBackHunk } from "./hunks.ts";

export interface HunkBarOptions {
  /** `original`: the left side, which only names the hunk. */
  readonly side: "original" | "draft";
  /** Off where the original is not exactly known. */
  readonly canTakeBack: boolean;
}

/** More hunks than this have no bars: nobody decides on them one by one. */
const maxBars = 2000;

/** The bar goes on through the gutters. */
const hunkGutter = new (class extends GutterMarker {
  override elementClass = "hunk-gutter";
})();

/** A bar above each hunk: which one it is, Keep and Take back. */
export function hunkBars(options: HunkBarOptions): Extension {
  const field: StateField<DecorationSet> = StateField.define<DecorationSet>({
    create: (state) => buildBars(state, options),
    update: (bars, transaction) => (isAffected(transaction) ? buildBars(transaction.state, options) : bars),
    provide: (self) => EditorView.decorations.from(self),
  });
  const gutter = gutterWidgetClass.of((_view, widget) => (widget instanceof HunkBar ? hunkGutter : null));
  return options.side === "draft" ? [keptPlaces, field, gutter] : [field, gutter];
}

function isAffected({ state, startState, docChanged }: Transaction): boolean {
  return (
    docChanged ||
    getChunks(state)?.chunks !== getChunks(startState)?.chunks ||
    state.field(keptPlaces, false) !== startState.field(keptPlaces, false) ||
    (state.selection !== startState.selection && currentHunk(state)?.index !== currentHunk(startState)?.index)
  );
}

function buildBars(state: EditorState, options: HunkBarOptions): DecorationSet {
  const hunks = hunksOf(state);
  if (hunks.length > maxBars) return Decoration.none;
  const builder = new RangeSetBuilder<Decoration>();
  const current = options.side === "draft" ? currentHunk(state)?.index : undefined;
  for (const hunk of hunks) {
    const start = options.side === "draft" ? hunk.chunk.fromB : hunk.chunk.fromA;
    const at = Math.min(start, state.doc.length);
    const widget = new HunkBar(hunk, describe(state, hunk, options.side), hunk.index === current, options);
    // Before the lines that are gone (side -1 in the unified view) and the spacers of the side-by-side view.
    builder.add(at, at, Decoration.widget({ widget, block: true, side: -2 }));
  }
  return builder.finish();
}

function describe({ doc }: EditorState, { chunk }: Hunk, side: HunkBarOptions["side"]): string {
  const [from, to] = side === "draft" ? [chunk.fromB, chunk.toB] : [chunk.fromA, chunk.toA];
  const line = doc.lineAt(Math.min(from, doc.length)).number;
  if (from === to) return side === "draft" ? `removed before ${line}` : `added before ${line}`;
  const last = doc.lineAt(Math.min(to - 1, doc.length)).number;
  return last > line ? `lines ${line}–${last}` : `line ${line}`;
}

class HunkBar extends WidgetType {
  readonly #hunk: Hunk;
  readonly #lines: string;
  readonly #isCurrent: boolean;
  readonly #options: HunkBarOptions;

  constructor(hunk: Hunk, lines: string, isCurrent: boolean, options: HunkBarOptions) {
    super();
    this.#hunk = hunk;
    this.#lines = lines;
    this.#isCurrent = isCurrent;
    this.#options = options;
  }

  override eq(other: HunkBar): boolean {
    const [one, two] = [this.#hunk, other.#hunk];
    return (
      one.index === two.index &&
      one.total === two.total &&
      one.isKept === two.isKept &&
      this.#lines === other.#lines &&
      this.#isCurrent === other.#isCurrent
    );
  }

  override get estimatedHeight(): number {
    return 28;
  }

  override toDOM(view: EditorView): HTMLElement {
    const { index, total, isKept } = this.#hunk;
    const bar = document.createElement("div");
    bar.className = `hunk-bar${this.#isCurrent ? " hunk-current" : ""}${isKept ? " hunk-kept" : ""}`;
    const name = bar.appendChild(document.createElement("span"));
    name.className = "hunk-name";
    if (this.#options.side === "original") {
      name.textContent = this.#lines;
      return bar;
    }
    name.textContent = `Change ${index + 1} of ${total}`;
    const lines = bar.appendChild(document.createElement("span"));
    lines.className = "hunk-lines";
    lines.textContent = this.#lines;
    bar.append(this.#keepButton(view), ...(this.#options.canTakeBack ? [this.#takeBackButton(view)] : []));
    return bar;
  }

  #keepButton(view: EditorView): HTMLElement {
    const { index, isKept } = this.#hunk;
    const button = createButton(isKept ? "Kept" : "Keep", `${isKept ? "Kept" : "Keep"} change ${index + 1}`);
    button.setAttribute("aria-pressed", String(isKept));
    button.addEventListener("click", () => {
      const hunk = hunksOf(view.state)[index];
      if (hunk) view.dispatch({ effects: setKept.of({ at: hunk.from, kept: !hunk.isKept }) });
    });
    return button;
  }

  #takeBackButton(view: EditorView): HTMLElement {
    const { index } = this.#hunk;
    const button = createButton(
      "Take back",
      `Take back change ${index + 1}: leave these lines as they are on disk`,
    );
    button.addEventListener("click", () => {
      const hunk = hunksOf(view.state)[index];
      if (hunk) takeBackHunk(view, hunk);
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
