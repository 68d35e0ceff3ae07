import { EditorView } from "@codemirror/view";

/** Where the user is in a text: positions in UTF-16 units. */
export interface Place {
  readonly anchor: number;
  readonly head: number;
  /** The first line that is visible. */
  readonly top: number;
}

/** @param frame the element in which the text scrolls */
export function placeIn(view: EditorView, frame: Element): Place {
  const { anchor, head } = view.state.selection.main;
  const height = frame.getBoundingClientRect().top - view.documentTop;
  return { anchor, head, top: view.lineBlockAtHeight(Math.max(0, height)).from };
}

/** Goes there, as far as the text is that long. */
export function showPlace(view: EditorView, { anchor, head, top }: Place): void {
  const at = (position: number) => Math.min(position, view.state.doc.length);
  view.dispatch({
    selection: { anchor: at(anchor), head: at(head) },
    effects: EditorView.scrollIntoView(at(top), { y: "start" }),
  });
}
