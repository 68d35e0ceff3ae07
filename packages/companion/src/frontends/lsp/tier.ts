import type { ServerCapabilities } from "vscode-languageserver";
import type { Companion } from "../../companion.ts";
import type { Editor } from "../../core/editor.ts";
import type { RecoveredEdits } from "../../core/edits/recovered-edits.ts";
import type { CompanionEvent } from "../../core/events.ts";

/** What has become of comments on a proposal. */
export type CommentsEvent = Extract<
  CompanionEvent,
  { readonly kind: "comments-delivered" | "comments-recovered" }
>;

/** One of the two ways in which editors are served: by LSP alone, or by our own messages. */
export interface Tier {
  readonly editor: Editor;
  readonly capabilities: ServerCapabilities;
  /** Whether a folder is ours and not the user's, whatever the editor makes of it. */
  isOurs(folder: string): boolean;
  /** Who is connected, what waits or where has changed. */
  onStatus(companion: Companion): void;
  /** Shows the user the way to edits that no file holds; they are on disk already. */
  onRecovered(edits: RecoveredEdits): Promise<void>;
  /** Reports what has become of comments; where none can be written there is nothing to report. */
  onComments?(event: CommentsEvent): Promise<void>;
  close(): void;
}
