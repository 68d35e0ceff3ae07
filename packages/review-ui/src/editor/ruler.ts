import { type EditorState, type Extension, Facet } from "@codemirror/state";
import { type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { hunksOf, showPosition, viewsOf } from "./hunks.ts";

/** Where an editor has comments. */
export const commentPositions = Facet.define<(state: EditorState) => readonly number[]>();

/** Next to the whole of a diff: marks of its hunks and comments, which a click goes to. */
export function ruler(parent: HTMLElement): Extension {
  return ViewPlugin.define((view) => new Ruler(view, parent));
}

interface Mark {
  readonly view: EditorView;
  readonly at: number;
  readonly kind: "ruler-added" | "ruler-removed" | "ruler-changed" | "ruler-comment";
  /** Shares of the height of the diff. */
  readonly top: number;
  readonly height: number;
}

class Ruler {
  readonly #view: EditorView;
  readonly #parent: HTMLElement;
  /** The keys of a diff reach all of this. */
  readonly #element = Object.assign(document.createElement("div"), {
    className: "ruler",
    ariaHidden: "true",
  });
  #marks: readonly Mark[] = [];

  constructor(view: EditorView, parent: HTMLElement) {
    this.#view = view;
    this.#parent = parent;
    parent.prepend(this.#element);
    this.#element.addEventListener("click", ({ clientY }) => this.#goTo(clientY));
    this.#measure();
  }

  update({ geometryChanged }: ViewUpdate): void {
    if (geometryChanged) this.#measure();
  }

  destroy(): void {
    this.#element.remove();
  }

  #measure(): void {
    this.#view.requestMeasure({ key: this, read: () => this.#read(), write: (marks) => this.#draw(marks) });
  }

  #read(): readonly Mark[] {
    const total = Math.max(this.#view.contentHeight, this.#parent.clientHeight);
    const toMark = (view: EditorView, kind: Mark["kind"], from: number, to: number): Mark => {
      const { length } = view.state.doc;
      const { top } = view.lineBlockAt(Math.min(from, length));
      const { bottom } = view.lineBlockAt(Math.min(to, length));
      return { view, at: from, kind, top: top / total, height: (bottom - top) / total };
    };
    const hunks = hunksOf(this.#view.state).map(({ from, to, chunk: { fromA, toA, fromB, toB } }) =>
      toMark(
        this.#view,
        fromA === toA ? "ruler-added" : fromB === toB ? "ruler-removed" : "ruler-changed",
        from,
        to,
      ),
    );
    const comments = viewsOf(this.#view).flatMap((view) => {
      const positions = view.state.facet(commentPositions).flatMap((find) => find(view.state));
      return positions.map((at) => toMark(view, "ruler-comment", at, at));
    });
    return [...hunks, ...comments];
  }

  #draw(marks: readonly Mark[]): void {
    this.#marks = marks;
    // Of a thousand changes those in the same place look the same.
    const places = new Map(marks.map((mark) => [`${mark.kind} ${Math.round(mark.top * 300)}`, mark]));
    this.#element.replaceChildren(
      ...[...places.values()].map(({ kind, top, height }) => {
        const mark = document.createElement("div");
        mark.className = `ruler-mark ${kind}`;
        mark.style.top = `${top * 100}%`;
        mark.style.height = `${height * 100}%`;
        return mark;
      }),
    );
  }

  /** To the nearest one. */
  #goTo(clientY: number): void {
    const { top, height } = this.#element.getBoundingClientRect();
    const share = (clientY - top) / height;
    const distance = (mark: Mark) => Math.abs(mark.top + mark.height / 2 - share);
    const [nearest] = this.#marks.toSorted((one, other) => distance(one) - distance(other));
    if (nearest) showPosition(nearest.view, nearest.at);
  }
}
