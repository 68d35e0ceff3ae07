import { type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/**
 * Tells the style sheet how wide the gutters are and how much of the text's width is visible, so that what stands
 * between the lines can stay in sight when long lines are scrolled sideways.
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
