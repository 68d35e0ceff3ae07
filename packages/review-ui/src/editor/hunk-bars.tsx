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
  gutterWidgetClass,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import type { Sentence } from "../language/language.ts";
import { GutterClass } from "./change-gutter.ts";
import { BarButton, DrawnWidget } from "./drawn-widget.tsx";
import { currentHunk, type Hunk, hunksOf, setViewed, viewedPositions } from "./hunks.ts";
import { phrase } from "./phrase.ts";
import { hasOtherChunks } from "./visible-decorations.ts";

export interface HunkBarOptions {
  /** `original`: the left side, whose bars only name the hunk. */
  readonly side: "original" | "draft";
  readonly isSideBySide: boolean;
  /** Leaves its lines as they are on disk; absent where their bytes are unknown, or the text cannot be changed. */
  readonly revert?: ((view: EditorView, hunk: Hunk) => void) | undefined;
  /** The user keeps or reverts hunks, and does not edit the text. */
  readonly decide?: ((action: "keep" | "revert", hunk: Hunk) => void) | undefined;
  /** Called when the button that had the focus is gone with its bar. */
  readonly onLeave?: (() => void) | undefined;
}

/** More hunks than this have no bars: nobody reviews them one by one. */
const maxBars = 2000;
/** With more hunks than this, labels have no line numbers, which would have to be counted with every key. */
const maxDescribed = 300;

/** Continues the bar through the gutters. */
const hunkGutter = new GutterClass("hunk-gutter");
const floatingGutter = new GutterClass("hunk-gutter hunk-gutter-floating");

/** Shows a bar above each hunk with its number, Viewed and Revert. */
export function hunkBars(options: HunkBarOptions): Extension {
  const field: StateField<DecorationSet> = StateField.define<DecorationSet>({
    create: (state) => buildBars(state, options),
    update: (bars, transaction) => (isAffected(transaction) ? buildBars(transaction.state, options) : bars),
    provide: (self) => EditorView.decorations.from(self),
  });
  const gutter = gutterWidgetClass.of((_view, widget) =>
    widget instanceof DrawnWidget ? widget.gutter : null,
  );
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
    const lines = hunks.length > maxDescribed ? "" : describe(state, hunk, options.side);
    const isCurrent = hunk.index === current;
    // On a side without lines of the hunk the bar is above the next equal line. The merge view aligns that line with
    // everything above it, so a bar with a height would move the line down: it has none, and covers the spacer.
    const isFloating = options.isSideBySide && from === to;
    const { index, total, isViewed } = hunk;
    const widget = new DrawnWidget({
      key: [index, total, isViewed, lines, isCurrent, isFloating],
      height: isFloating ? 0 : 28,
      gutter: isFloating ? floatingGutter : hunkGutter,
      draw: (view) => <HunkBar {...{ view, hunk, lines, isCurrent, isFloating, options }} />,
    });
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

interface HunkBarProps {
  readonly view: EditorView;
  readonly hunk: Hunk;
  readonly lines: string;
  readonly isCurrent: boolean;
  readonly isFloating: boolean;
  readonly options: HunkBarOptions;
}

function HunkBar({ view, hunk, lines, isCurrent, isFloating, options }: HunkBarProps) {
  const { state } = view;
  const { decide } = options;
  const { index, total, isViewed } = hunk;
  const name = phrase(state, "Change $1 of $2", index + 1, total);
  /** Positions of the hunk may be others since it was drawn. */
  const now = () => hunksOf(view.state)[index];
  const toggleViewed = () => {
    const hunk = now();
    if (hunk) view.dispatch({ effects: setViewed.of({ at: hunk.from, viewed: !hunk.isViewed }) });
  };
  const revert = () => {
    const hunk = now();
    if (hunk) options.revert?.(view, hunk);
    if (document.activeElement === document.body) options.onLeave?.();
  };
  const button = (word: Sentence, label: Sentence, onClick: () => void, pressed?: boolean) => (
    <BarButton label={phrase(state, label, index + 1)} onClick={onClick} aria-pressed={pressed}>
      {phrase(state, word)}
    </BarButton>
  );
  return (
    <div class={`hunk-row${isFloating ? " hunk-floating" : ""}`}>
      <div class={`hunk-bar${isCurrent ? " hunk-current" : ""}${isViewed ? " hunk-viewed" : ""}`}>
        <span class="emphasis cut-off">{options.side === "original" ? lines : name}</span>
        {options.side === "draft" && (
          <>
            <span class="cut-off grow">{lines}</span>
            {!decide && button("Viewed", "Mark change $1 as viewed", toggleViewed, isViewed)}
            {!decide &&
              options.revert &&
              button("Revert", "Revert change $1: leave these lines as they are on disk", revert)}
            {decide && button("Keep", "Keep change $1", () => decide("keep", hunk))}
            {decide &&
              button("Revert", "Revert change $1: take these lines out of the file", () =>
                decide("revert", hunk),
              )}
          </>
        )}
      </div>
    </div>
  );
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
      const text = view.scrollDOM.clientWidth - gutters;
      return { "--gutters-width": `${gutters}px`, "--text-width": `${text}px` };
    },
    write: (widths) => {
      const { style } = view.scrollDOM;
      // All that is in it inherits them, and gets its style again where one is set.
      for (const [name, value] of Object.entries(widths))
        if (style.getPropertyValue(name) !== value) style.setProperty(name, value);
    },
  });
}
