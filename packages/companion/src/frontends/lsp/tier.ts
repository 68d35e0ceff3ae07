import type { ServerCapabilities } from "vscode-languageserver";
import type { Companion } from "../../companion.ts";
import type { Editor } from "../../core/editor.ts";
import type { CompanionEvent } from "../../core/events.ts";

/** One of the two ways in which editors are served: by LSP alone, or by our own messages. */
export interface Tier {
  readonly editor: Editor;
  readonly capabilities: ServerCapabilities;
  /** Whether a folder is ours and not the user's, whatever the editor makes of it. */
  isOurs(folder: string): boolean;
  /** Who is connected, what waits or where has changed. */
  onStatus(companion: Companion): void;
  /** Says what the user has to know of it: edits that no file holds, and what has become of comments. */
  onEvent(event: CompanionEvent): Promise<void>;
  close(): void;
}
