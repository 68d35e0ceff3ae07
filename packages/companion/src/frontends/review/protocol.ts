import { z } from "zod";
import type { CountingMode } from "../../agents/review-switch.ts";
import type { RecoveredComments } from "../../core/comments/comment.ts";
import type { Context } from "../../core/context.ts";
import type { Comment, DecisionResult, DiffState } from "../../core/editor.ts";
import type { DecisionTexts } from "../../core/history/past-decision.ts";
import type { Rewrite } from "../../core/history/rewrite.ts";
import type { Notice } from "../../core/sentences.ts";
import type { ConnectedSession } from "../../core/status.ts";
import type { Turn } from "../../core/turns.ts";
import type { FileText } from "../../files/file-text.ts";
import type { LineChange } from "../../files/line-diff.ts";
import { ShownComment } from "../protocol/comment-messages.ts";
import type { StoredName } from "../protocol/list-messages.ts";
import type { Listed } from "../protocol/lists.ts";
import { messages } from "../protocol/messages.ts";
import type { SendAnswer } from "../send-message.ts";

/**
 * What the page and the frontend say to each other on the socket (`/socket`), one JSON object a message.
 * The frontend owns the truth; a page shows it and sends what its user does.
 * A page may connect to `/socket?page=ID` with an id that survives a reload (sessionStorage): what it types then is that
 * of its former socket.
 */

/** An agent CLI that the page offers to start. */
export interface AgentChoice {
  readonly displayName: string;
  readonly command: string;
  /** What its user types in it when it is not connected. */
  readonly connectCommand: string;
}

/**
 * Do something with what the companion stores. A file is written as long as it has the `stamp` that the user has seen.
 * In the list `written`, `id` may be that of a turn, and nothing is done where `revision` is another one by now: that of
 * a turn is those of its records with blanks between them. `hunks` are the indexes of some in a record; `undo` undoes the
 * last decision.
 */
const ActMessage = messages.act.params.pick({ id: true, action: true }).extend({
  type: z.literal("act"),
  list: messages.act.params.shape.list.exclude(["waiting"]),
  stamp: z.string().exactOptional(),
  hunks: z.array(z.int().min(0)).exactOptional(),
  revision: z.string().exactOptional(),
});
export type ActMessage = z.infer<typeof ActMessage>;

/** `revision` is the last one that this page has seen of the text. */
const revision = z.int();

/** All that there are on a proposal: the page knows which lines they are on, and what these are. */
const comments = z.array(ShownComment.extend({ quote: z.string() }));

/**
 * Page → frontend. What a plugin says as well has the name and the shape that it has there. Each may have an `ask`, a
 * number that the page chooses: then it is answered with `answered`.
 */
export const PageMessage = z.discriminatedUnion("type", [
  /** `focused`: the page has the user's attention. */
  messages.context.params.extend({ type: z.literal("context"), focused: z.boolean() }),
  messages.draft.params.extend({ type: z.literal("draft"), revision }),
  /** Without `content`, the text as it stands. */
  messages.diffAccepted.params
    .omit({ withComments: true })
    .partial({ content: true })
    .extend({
      ...{ type: z.literal("diffAccepted"), revision: revision.exactOptional() },
      comments: comments.exactOptional(),
    }),
  /** A decision without comments takes those that are saved. */
  messages.diffRejected.params
    .omit({ withComments: true })
    .extend({ type: z.literal("diffRejected"), comments: comments.exactOptional() }),
  z.object({ type: z.literal("comments"), id: z.string(), comments }),
  z.object({ type: z.literal("acceptRest"), turn: z.string(), stopAt: z.array(z.string()) }),
  z.object({ type: z.literal("stopAccepting"), turn: z.string() }),
  messages.send.params.pick({ mentions: true, text: true }).extend({ type: z.literal("send") }),
  ActMessage,
  /** Open a file in the user's editor. */
  messages.openFile.params.extend({ type: z.literal("openFile") }),
  /** Answers `flush`: nothing unsent is left in this page. */
  z.object({ type: z.literal("flushed"), id: z.string() }),
  /** Comments that only this page has, because their companion has ended: they wait from now on. */
  z.object({
    ...{ type: z.literal("keep-comments"), comments },
    ...{ agent: z.string(), filePath: z.string(), reason: z.string() },
  }),
  /** A text that only this page has: it is to be found among the recovered edits. */
  z.object({
    ...{ type: z.literal("keep-edits"), agent: z.string(), filePath: z.string(), reason: z.string() },
    ...{ openedAt: z.number(), proposed: z.string(), text: z.string() },
  }),
  /** The user has this proposal in front, and has marked these hunks of it; or a written file, by its revision. */
  z.object({ type: z.literal("viewed"), id: z.string(), hunks: z.array(z.string()) }),
  /** A companion that hangs is noticed by its silence. */
  z.object({ type: z.literal("ping") }),
  /** Agents shall be sent nothing of what the user looks at, in any page or editor of these folders, or again. */
  z.object({ type: z.literal("pause"), paused: z.boolean() }),
  messages.review.params.required().extend({ type: z.literal("review") }),
  /** Which files (open tabs) and unfolded folders to report changes of on disk. */
  z.object({ type: z.literal("watch"), paths: z.array(z.string()) }),
]);
export type PageMessage = z.infer<typeof PageMessage>;

/** Names a message that is to be answered. */
export const Ask = z.object({ ask: z.int() });

/** What messages are answered with; the others with nothing. */
export interface Answers {
  /**
   * With a `content`, the draft does not count: this is the text that the page has not seen, to be merged with its own.
   * `own` is the last one of the page that counted, which it may not have heard.
   */
  readonly draft: { readonly revision: number; readonly content?: string; readonly own?: DraftNews };
  readonly diffAccepted: DecisionResult;
  readonly diffRejected: DecisionResult;
  readonly send: SendAnswer;
  /** Whose prompt has comments. */
  readonly act: { readonly agent?: string };
}

/** A text of a proposal, the revision that it was, and what it is to be compared with where that is another. */
export interface DraftNews {
  readonly revision: number;
  readonly content: string;
  readonly against?: Pick<ProposalTexts, "original" | "proposed">;
}

export type AnswerTo<Type extends PageMessage["type"]> = Type extends keyof Answers ? Answers[Type] : unknown;

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
  /** Why the user's edits cannot reach the agent. Absent when they can. */
  readonly readOnlyReason?: Notice;
  readonly opensOneDiff?: boolean;
  readonly state: DiffState;
  /** A page has had it in front. */
  readonly seen: boolean;
}

/** `GET /api/proposals/:id` */
export interface ProposalTexts {
  readonly id: string;
  readonly original: FileText;
  readonly proposed: string;
  /** The text as last edited in any page; absent while it equals `proposed`. */
  readonly draft?: string;
  readonly revision: number;
  /** As last written in any page. */
  readonly comments: readonly Comment[];
  /** The hunks that its user has marked as viewed, by keys of the pages. */
  readonly viewed: readonly string[];
}

/** A list of what the companion stores: newest first, bounded; from every companion, earlier ones included. */
interface ListMessage<Name extends StoredName> {
  readonly type: "list";
  readonly list: Name;
  readonly records: readonly Listed<Name>[];
}

/** `GET /api/edits/:id` */
export interface EditsTexts {
  /** With what the user typed. */
  readonly text: string;
  readonly onDisk: FileText;
}

/** `GET /api/written/:id` */
export interface WrittenTexts {
  /** Of a file that was renamed, what it held under its former name. */
  readonly before: FileText;
  readonly after: FileText;
  /** Absent where it was renamed: it is kept or reverted as a whole. */
  readonly hunks?: readonly LineChange[];
  /** Decisions about hunks name it. */
  readonly revision: string;
}

/** `GET /api/history/:id` */
export interface HistoryTexts extends DecisionTexts {
  readonly before: string | null;
  readonly onDisk: FileText;
  /** What its user has sent with the decision. */
  readonly comments?: readonly Comment[];
  /** What undoing an accepted change would make of the file as it is now. */
  readonly undo?: Rewrite;
  /** What the change, the user's version of it where they had one, would make of the file. */
  readonly reapply: Rewrite;
}

/** Frontend → page. */
export type FrontendMessage =
  | {
      readonly type: "welcome";
      /** Changes when the companion was restarted: then the page starts afresh, keeping its tabs. */
      readonly instance: string;
      readonly roots: readonly string[];
      /** Path delimiter and separator of the companion's system. */
      readonly separator: string;
      /** The CLIs that this companion serves, and how each is started: what an empty page tells its user to run. */
      readonly agents?: readonly AgentChoice[];
      /** The editor in which files can be opened, for people. */
      readonly editor?: string;
    }
  | { readonly type: "roots"; readonly roots: readonly string[] }
  /** Oldest first: the order in which they wait. */
  | { readonly type: "proposals"; readonly proposals: readonly ProposalSummary[] }
  | ListMessage<"edits">
  | ListMessage<"comments">
  | ListMessage<"history">
  /**
   * `decided`: the files, for people, of the last decision about them that can be undone; none where there is none.
   * `viewed`: the ids of those that the user has marked as they are now.
   */
  | (ListMessage<"written"> & { readonly decided: readonly string[]; readonly viewed: readonly string[] })
  /** Answers a message: a trouble is a sentence, and what it is about is as it was. */
  | { readonly type: "answered"; readonly ask: number; readonly answer?: unknown; readonly trouble?: string }
  /** Who is connected and what they propose, oldest first; what they were sent last, and what was kept from them. */
  | {
      readonly type: "status";
      readonly sessions: readonly ConnectedSession[];
      readonly turns: readonly Turn[];
      readonly context: Context;
      /** Absolute paths of open files that agents do not hear of: `--exclude`, or ignored by git. */
      readonly excluded: readonly string[];
      /** Nothing is sent until the user says so. */
      readonly paused: boolean;
      /** When the user looks at what agents write. */
      readonly review: readonly CountingMode[];
    }
  /** Another page has written comments on this proposal: all that there are. */
  | { readonly type: "comments"; readonly id: string; readonly comments: readonly Comment[] }
  /** What was sent with a decision is in the prompt of its agent, or in the outcome that it has. */
  | { readonly type: "comments-delivered"; readonly agent: string; readonly by: "prompt" | "outcome" }
  /** The comments on a proposal have reached nobody, also those that were sent with its decision. */
  | { readonly type: "comments-recovered"; readonly id: string; readonly comments: RecoveredComments }
  /** Another page has marked hunks of this proposal: all that are marked. Or a page a written file, by its revision. */
  | { readonly type: "viewed"; readonly id: string; readonly hunks: readonly string[] }
  /** Another text of this proposal counts: of another page or editor, or as its file is now, with what it is then. */
  | ({ readonly type: "draft"; readonly id: string } & DraftNews)
  /** Send an unsent draft now, then `flushed`: the diff is about to be closed. */
  | { readonly type: "flush"; readonly id: string }
  /** A watched file, or what a watched folder holds, changed on disk. */
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

/**
 * `GET /api/file?path=ABSOLUTE` answers a `FileText`, and `GET /api/marks?path=ABSOLUTE` a `LineChange[]`: where agents
 * have written it. Errors: `{ error: string }` with 400, 403 or 404.
 */
