import { getChunks, mergeViewSiblings } from "@codemirror/merge";
import { type Extension, StateEffect, StateField, type Text } from "@codemirror/state";
import {
  BlockType,
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { DrawnWidget } from "./drawn-widget.tsx";

/**
 * Aligns the empty last lines of both sides, which follow the last line feed. The merge view aligns only equal lines
 * with characters and the end of the text.
 */
export function alignLastLine(): Extension {
  return [spacer, aligner];
}

/** Runs in the next frame, because the merge view would respond to each of our changes with another one. */
const aligner = ViewPlugin.fromClass(
  class {
    readonly #view: EditorView;
    #frame: number | undefined;
    /** The distances between the sides before each of the last consecutive alignments. */
    #former: readonly number[] = [];
    #alignedAt = 0;
    /** The texts of both sides then. */
    #texts: readonly Text[] = [];

    constructor(view: EditorView) {
      this.#view = view;
    }

    update({ heightChanged, viewportChanged, transactions }: ViewUpdate): void {
      const isOwn = transactions.some(({ effects }) => effects.some((effect) => effect.is(setSpacer)));
      if (isOwn || !(heightChanged || viewportChanged)) return;
      this.#frame ??= requestAnimationFrame(() => {
        this.#frame = undefined;
        this.#align();
      });
    }

    #align(): void {
      const both = mergeViewSiblings(this.#view);
      if (!both) return;
      const now = performance.now();
      const texts = [both.a.state.doc, both.b.state.doc];
      const isOtherText = texts.some((text, side) => text !== this.#texts[side]);
      if (isOtherText || now - this.#alignedAt > 500) this.#former = [];
      this.#alignedAt = now;
      this.#texts = texts;
      const apart = distance(both.a, both.b);
      // Estimated heights of the same texts can alternate forever.
      if (this.#former.slice(1).some((former) => Math.abs(former - apart) < 0.5)) return;
      this.#former = [apart, ...this.#former].slice(0, 8);
      setHeight(both.a, Math.max(0, -apart));
      setHeight(both.b, Math.max(0, apart));
    }

    destroy(): void {
      if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    }
  },
);

const setSpacer = StateEffect.define<number>();

interface LastSpacer {
  readonly height: number;
  readonly decorations: DecorationSet;
}

const none: LastSpacer = { height: 0, decorations: Decoration.none };

const spacer = StateField.define<LastSpacer>({
  create: () => none,
  update: ({ height, decorations }, { effects, changes, newDoc }) => {
    for (const effect of effects) {
      if (!effect.is(setSpacer)) continue;
      if (effect.value === 0) return none;
      const deco = Decoration.widget({ widget: toWidget(effect.value), block: true, side: -1 });
      return { height: effect.value, decorations: Decoration.set(deco.range(newDoc.length)) };
    }
    return { height, decorations: decorations.map(changes) };
  },
  provide: (self) => EditorView.decorations.from(self, ({ decorations }) => decorations),
});

const toWidget = (height: number) =>
  new DrawnWidget({
    ...{ key: [height], height },
    draw: () => <div class="cm-mergeSpacer" style={{ height: `${height}px` }} />,
  });

/** How much lower the last line of one side is than that of the other, in pixels. */
function distance(a: EditorView, b: EditorView): number {
  const last = getChunks(b.state)?.chunks.at(-1);
  const isNeeded = last?.toA === a.state.doc.length && last.toB === b.state.doc.length;
  return isNeeded ? topOfLastLine(a) - topOfLastLine(b) : 0;
}

/** Without the height of our spacer. */
function topOfLastLine(view: EditorView): number {
  const { length } = view.state.doc;
  const block = view.lineBlockAt(length);
  const parts = typeof block.type === "number" ? [block] : block.type;
  const text = parts.find(({ type }) => type === BlockType.Text) ?? block;
  return text.top - view.state.field(spacer).height;
}

function setHeight(view: EditorView, height: number): void {
  if (Math.abs(view.state.field(spacer).height - height) > 0.5)
    view.dispatch({ effects: setSpacer.of(height) });
}
