import { getChunks } from "@codemirror/merge";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { Comment } from "../model/api.ts";
import type { CommentedLines, ProposalComments } from "../model/proposal-comments.ts";
import { createCommentBoxes } from "./comment-boxes.tsx";

export type DiffComments = ReturnType<typeof createDiffComments>;

/**
 * The comments in the editors of one diff.
 * @param onLeave called when the user has closed a comment: something else has to get the focus
 */
export function createDiffComments(comments: ProposalComments, onLeave: () => void) {
  const boxes = {
    proposed: createCommentBoxes("proposed", comments, onLeave),
    original: createCommentBoxes("original", comments, onLeave),
  };
  let focused: { readonly view: EditorView; readonly side: Comment["side"] } | undefined;
  /** The line that was pressed last. */
  let anchor: (Pick<CommentedLines, "side"> & { readonly line: number }) | undefined;
  return {
    extension: (side: Comment["side"]): Extension => [
      boxes[side].extension,
      EditorView.domEventHandlers({
        focus: (_, view) => {
          // The unified view has boxes of both sides, and the cursor in one.
          const isOriginal = getChunks(view.state)?.side === "a";
          focused = { view, side: isOriginal ? "original" : "proposed" };
        },
      }),
    ],
    /** Called for a press on a line's number: comments on it, or with Shift on all from the last one on. */
    onLine: (side: Comment["side"]) => (view: EditorView, line: number, isRange: boolean) => {
      const from = isRange && anchor?.side === side ? anchor.line : line;
      const lines = boxes[side].linesBetween(view.state, from, line);
      if (!isRange || !comments.extend(lines)) comments.start(lines);
      if (!isRange) anchor = { side, line };
    },
    /** Shows what there is. @param original undefined where it has no editor */
    show: (draft: EditorView, original: EditorView | undefined, open: string | undefined) => {
      const shown = { list: comments.list.peek(), open };
      boxes.proposed.show(draft, shown);
      boxes.original.show(original ?? draft, shown);
    },
    /** The draft has been edited, in this page or in another one. */
    moved: (draft: EditorView, isOwnEdit: boolean) =>
      comments.moved(boxes.proposed.places(draft.state), isOwnEdit),
    /** Comments on the selected lines of the side that had the focus last. */
    start: (draft: EditorView) => {
      const { view, side } = focused ?? { view: draft, side: "proposed" };
      const lines = boxes[side].selectedLines(view.state);
      anchor = { side, line: lines.startLine };
      comments.start(lines);
    },
  };
}
