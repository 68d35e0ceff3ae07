import { z } from "zod";
import type { SessionInfo, Settlement } from "../../companion-event.ts";
import type { IdeContext } from "../../contract/context.ts";

/**
 * What the page and the door say to each other on the socket (`/socket`), one JSON object a message.
 * The door owns the truth; a page shows it and sends what its user does.
 * A page may connect to `/socket?page=ID` with an id of its own that survives a reload (sessionStorage): its files
 * then replace those of its former socket at once, instead of staying beside them for three seconds.
 */

/** One file open in this page. */
const PageFile = z.object({
  path: z.string(),
  focusedAt: z.number(),
  cursor: z.object({ line: z.int().min(1), character: z.int().min(1) }).optional(),
  selectedText: z.string().optional(),
});

/** Page → door. */
export const PageMessage = z.discriminatedUnion("type", [
  /** The whole present state of this page's tabs. `focused`: the page has the user's attention. */
  z.object({
    type: z.literal("context"),
    files: z.array(PageFile),
    activePath: z.string().optional(),
    focused: z.boolean(),
  }),
  /** The proposal's text as edited in this page. `revision` is the last one this page has seen. */
  z.object({ type: z.literal("draft"), id: z.string(), revision: z.int(), text: z.string() }),
  /** Answers `flush`: nothing unsent is left in this page. */
  z.object({ type: z.literal("flushed"), id: z.string() }),
  z.object({ type: z.literal("accept"), id: z.string(), text: z.string() }),
  z.object({ type: z.literal("reject"), id: z.string() }),
  /** Forget a journal entry's kept edits. */
  z.object({ type: z.literal("discard"), entry: z.string() }),
  /** Which files (open tabs, originals of diffs) to report changes of on disk. */
  z.object({ type: z.literal("watch"), paths: z.array(z.string()) }),
]);
export type PageMessage = z.infer<typeof PageMessage>;

/** A file's text, or why there is none to show. */
export type FileText =
  | {
      readonly kind: "text";
      readonly text: string;
      /** False when the bytes are not valid UTF-8 and `text` is an approximation. */
      readonly exact: boolean;
      /** Bytes. */
      readonly size: number;
      /** Changes with every change on disk. */
      readonly stamp: string;
    }
  | { readonly kind: "binary"; readonly size: number; readonly stamp: string }
  | { readonly kind: "too-large"; readonly size: number; readonly limit: number; readonly stamp: string }
  | { readonly kind: "missing" }
  | { readonly kind: "folder" }
  | { readonly kind: "unreadable"; readonly reason: string };

/** A proposal in a list; its texts come from `GET /api/proposals/:id`. */
export interface ProposalSummary {
  readonly id: string;
  readonly agent: string;
  readonly filePath: string;
  /** Relative to its root (with the root's name before it when there are several), or the whole path when outside. */
  readonly label: string;
  readonly outsideRoots: boolean;
  readonly openedAt: number;
  /** Lines added and removed against the file on disk, as the draft stands. */
  readonly added: number;
  readonly removed: number;
  readonly isNewFile: boolean;
  /** The draft differs from what the agent proposed. */
  readonly edited: boolean;
}

/** `GET /api/proposals/:id` */
export interface ProposalTexts {
  readonly id: string;
  readonly original: FileText;
  readonly proposed: string;
  /** The text as last edited in any page; equals `proposed` at first. */
  readonly draft: string;
  readonly revision: number;
  /** The file's stamp at this moment: it differs from `original.stamp` when the file has changed since. */
  readonly diskStamp?: string;
}

export interface JournalEntry {
  readonly id: string;
  readonly at: number;
  readonly agent: string;
  readonly filePath: string;
  readonly label: string;
  readonly added: number;
  readonly removed: number;
  readonly outcome: Settlement["kind"];
  /** For people: `accepted`, `accepted with your edits`, `decided in the terminal`, … */
  readonly text: string;
  /** The user's edits, which the agent did not take; read with `GET /api/journal/:id`. */
  readonly hasUnsavedEdits: boolean;
}

/** `GET /api/journal/:id` */
export interface JournalTexts {
  readonly filePath: string;
  /** The user's edits, which the agent did not take. */
  readonly unsavedEdits?: string;
  readonly onDisk: FileText;
}

export interface SessionSummary extends SessionInfo {
  readonly streaming: boolean;
}

/** Door → page. */
export type DoorMessage =
  | {
      readonly type: "welcome";
      readonly version: string;
      /** Changes when the companion was restarted: then the page starts afresh, keeping its tabs. */
      readonly instance: string;
      readonly roots: readonly string[];
      /** The port of this page. */
      readonly port: number;
      /** Path delimiter and separator of the companion's system. */
      readonly separator: string;
      /** The CLIs that this companion serves, and how each is started: what an empty page tells its user to run. */
      readonly agents?: readonly { readonly displayName: string; readonly command: string }[];
    }
  | { readonly type: "roots"; readonly roots: readonly string[] }
  | { readonly type: "sessions"; readonly sessions: readonly SessionSummary[] }
  /** Oldest first: the order in which they wait. */
  | { readonly type: "proposals"; readonly proposals: readonly ProposalSummary[] }
  /** Newest first, bounded. */
  | { readonly type: "journal"; readonly entries: readonly JournalEntry[] }
  /** What the CLIs have been told last, and how many of them. */
  | { readonly type: "context"; readonly context: IdeContext; readonly sessions: number }
  /**
   * Another page has edited this proposal. Also sent to the author of a draft that crossed another page's on the way
   * (its `revision` was behind): the last one that reaches the door wins, in every page.
   */
  | { readonly type: "draft"; readonly id: string; readonly revision: number; readonly text: string }
  /** Send an unsent draft now, then `flushed`: the diff is about to be closed. */
  | { readonly type: "flush"; readonly id: string }
  /** A decision was not taken; the diff stays open. */
  | { readonly type: "refused"; readonly id: string; readonly reason: string }
  /** A watched file changed on disk. */
  | { readonly type: "changed"; readonly path: string; readonly stamp: string | undefined }
  /** An agent wants this to be seen. Line and character are 1-based, a character is a UTF-16 unit. */
  | { readonly type: "show"; readonly path: string; readonly line?: number; readonly character?: number }
  | { readonly type: "notice"; readonly level: "info" | "warning" | "error"; readonly text: string };

/**
 * One row of the tree: `GET /api/tree?path=ABSOLUTE` answers `TreeEntry[]`, folders first, by name;
 * without a path it answers the roots.
 */
export interface TreeEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: "folder" | "file";
  readonly ignored: boolean;
}

/** `GET /api/search?q=TEXT` answers the best 200 files of all roots, by fuzzy match on the relative path. */
export interface SearchHit {
  readonly path: string;
  readonly label: string;
}

/** `GET /api/file?path=ABSOLUTE` answers a `FileText`. Errors: `{ error: string }` with 400, 403 or 404. */
