import { getChunks } from "@codemirror/merge";
import type { EditorState, Extension } from "@codemirror/state";
import { type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/**
 * Decorations of the visible text, found again when it, or what has changed in it, is another.
 * @param isOther what else they depend on is another
 */
export function visibleDecorations(
  find: (view: EditorView) => DecorationSet,
  isOther: (update: ViewUpdate) => boolean = () => false,
): Extension {
  return ViewPlugin.define(
    (created) => {
      let decorations = find(created);
      return {
        get decorations() {
          return decorations;
        },
        update: (update) => {
          const { view, docChanged, viewportChanged } = update;
          if (docChanged || viewportChanged || hasOtherChunks(update) || isOther(update))
            decorations = find(view);
        },
      };
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

/** Whether the texts have been compared again. */
export function hasOtherChunks(update: { readonly startState: EditorState; readonly state: EditorState }) {
  return getChunks(update.startState)?.chunks !== getChunks(update.state)?.chunks;
}
