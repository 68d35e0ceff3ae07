import { getChunks, getOriginalDoc } from "@codemirror/merge";
import type { EditorState, Extension } from "@codemirror/state";
import { EditorView, ViewPlugin, type WidgetType } from "@codemirror/view";
import { markBlanks } from "./changed-text.ts";
import { hangingStyle } from "./hanging-indent.ts";
import { hasOtherChunks } from "./visible-decorations.ts";

/** Finishes the deleted lines of the unified view as the merge view draws them, before they are measured. */
export const deletedLines: Extension = ViewPlugin.define((created) => {
  prepare(created.state);
  return {
    update: (update) => {
      if (hasOtherChunks(update)) prepare(update.state);
    },
  };
});

/** What the merge view draws deleted lines with. */
interface DeletionWidget {
  buildDOM: (view: EditorView) => HTMLElement;
}

const prepared = new WeakSet<DeletionWidget>();

function prepare(state: EditorState): void {
  const original = getOriginalDoc(state);
  const hasNoLine = original.line(original.lines).length === 0;
  const last = getChunks(state)?.chunks.at(-1);
  // The empty line after the last line end is no line of the file.
  const endsInNoLine = hasNoLine && last && last.toA > original.length ? last.fromB : undefined;
  for (const decorations of state.facet(EditorView.decorations)) {
    if (typeof decorations === "function") continue;
    for (const cursor = decorations.iter(); cursor.value; cursor.next()) {
      const { widget } = cursor.value.spec;
      if (!isDeletion(widget) || prepared.has(widget)) continue;
      prepared.add(widget);
      const build = widget.buildDOM;
      const isLast = cursor.from === endsInNoLine;
      widget.buildDOM = (view) => finish(build(view), view, isLast);
    }
  }
}

function isDeletion(
  widget: (WidgetType & Partial<DeletionWidget>) | undefined,
): widget is WidgetType & DeletionWidget {
  return typeof widget?.buildDOM === "function";
}

function finish(drawn: HTMLElement, { lineWrapping }: EditorView, endsInNoLine: boolean): HTMLElement {
  const lines = [...drawn.querySelectorAll<HTMLElement>(".cm-deletedLine")];
  if (endsInNoLine) lines.pop()?.remove();
  for (const line of lines) {
    if (lineWrapping) line.style.cssText = hangingStyle(line.textContent ?? "");
    const text = line.querySelector("del");
    const isWhole = [...(text?.childNodes ?? [])].every(isChanged);
    text?.classList.toggle("cm-wholeLine", isWhole);
    for (const part of isWhole ? [] : line.querySelectorAll<HTMLElement>(".cm-deletedText")) {
      // Syntax divides a changed text into several elements.
      if (![part.previousSibling, part.nextSibling].some(isChanged)) markBlanks(part);
    }
  }
  return drawn;
}

function isChanged(node: Node | null): boolean {
  return node instanceof Element && node.classList.contains("cm-deletedText");
}
