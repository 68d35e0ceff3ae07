import { z } from "zod";
import type { UserAction } from "../../../testkit/src/recordings/recording.ts";
import type { EditorContext } from "../core/editor.ts";
import type { MemoryEditor } from "./memory-editor.ts";

const Position = z.strictObject({ line: z.int(), character: z.int() });

/** An `EditorContext`, as recordings have it. */
const Context = z.strictObject({
  files: z.array(
    z.strictObject({
      path: z.string(),
      focusedAt: z.number(),
      cursor: Position.exactOptional(),
      selectedText: z.string().exactOptional(),
      selection: z.strictObject({ start: Position, end: Position }).exactOptional(),
    }),
  ),
  activePath: z.string().exactOptional(),
});

/** Does in an editor what the user of a recording did. @throws Error when there is no such diff */
export function performAction(editor: MemoryEditor, action: UserAction): void {
  if (action.action === "focus") {
    const context: EditorContext = Context.parse(action.context);
    editor.look(context);
  } else if (action.action === "edit") editor.edit(action.path, action.text);
  else if (action.action === "accept") editor.accept(action.path);
  else editor.reject(action.path);
}
