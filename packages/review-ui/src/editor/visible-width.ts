import { type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/**
 * Sets custom properties to the width of the gutters and of the visible text, so that widgets between the lines stay
 * visible when long lines are scrolled horizontally.
 */
export const visibleWidth = ViewPlugin.fromClass(
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
