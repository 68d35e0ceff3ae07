import type { FileText } from "../files/file-text.ts";
import type { HunkPlace } from "./hunks.ts";
import type { Notice } from "./sentences.ts";

/** How an editor is called. */
export interface EditorInfo {
  /** Short, lower case: `vscode`, `neovim`. */
  readonly name: string;
  /** For people: `VS Code`. */
  readonly displayName: string;
}

/** A position in a file: line and character, both from 1; a character is a UTF-16 code unit. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** From `start` up to, and without, `end`. */
export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** What a compiler, linter or language server has found. */
export interface Diagnostic {
  /** Absolute. */
  readonly filePath: string;
  /** From 1, as the other numbers here; characters are UTF-16 code units. */
  readonly line: number;
  readonly character: number;
  readonly endLine?: number;
  /** Of the first character behind it. */
  readonly endCharacter?: number;
  readonly severity: "error" | "warning" | "info" | "hint";
  readonly message: string;
  /** What has found it: `typescript`, `eslint`. */
  readonly source?: string;
  /** The number or name that it has there. */
  readonly code?: string;
}

/** One file open in the editor, as the editor knows it: unordered, unbounded, perhaps not on disk. */
export interface EditorFile {
  /** Absolute path. */
  readonly path: string;
  /** When it was last focused, in milliseconds since 1970. */
  readonly focusedAt: number;
  readonly cursor?: Position;
  /** The whole selected text. */
  readonly selectedText?: string;
  /** Where that text is. */
  readonly selection?: Range;
}

/** What the user is looking at right now. */
export interface EditorContext {
  readonly files: readonly EditorFile[];
  /** Path of the file that has the focus, when it is one of `files`. */
  readonly activePath?: string;
}

/** A change of one file that an agent proposes. */
export interface Proposal {
  /** Unique within this companion. */
  readonly id: string;
  readonly sessionId: string;
  /** The proposing agent's name for people: `Some CLI`, or `Some CLI 2` for the second at once. */
  readonly agent: string;
  /** Exactly as the agent sent it; never normalised. */
  readonly filePath: string;
  /** The whole proposed text. */
  readonly newContent: string;
  /** Why the user's edits cannot reach the agent. Shown read-only; absent when they can. */
  readonly readOnlyReason?: Notice;
  /** Its agent shows its next change only once this one has ended, even where its user has stopped the turn meanwhile. */
  readonly opensOneDiff?: boolean;
  /** The file that the change is compared with: as it was when the change was proposed, or as it has become since. */
  readonly base: FileText;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
}

/** What the user writes about lines of a proposal, or about all of it. */
export interface Comment {
  /** Unique among those of its proposal; the editor chooses it. */
  readonly id: string;
  /** Which text the lines are of: the proposed one as it stands in the editor, or the file's. */
  readonly side: "proposed" | "original";
  /** From 1; 0 where it is about all of the change. */
  readonly startLine: number;
  /** The last one, included; 0 in the same case. */
  readonly endLine: number;
  /** These lines, as they stood when the comment was written last. */
  readonly quote: string;
  readonly text: string;
}

/** Differences in the comments on a change. */
export interface CommentChanges {
  /** New ones, and those with another text. */
  readonly changed: readonly Comment[];
  /** Ids. */
  readonly deleted: readonly string[];
}

/** What the user decides in the editor. */
export type Decision =
  | {
      /** Of the text as it stands. */
      readonly kind: "accepted";
      /**
       * The user has asked to edit a read-only proposal: the agent hears that its own text is accepted, and the user's
       * becomes recovered edits once the agent has written. Without it, an edited text of such a proposal is refused.
       */
      readonly ownVersion?: boolean;
      /** What the agent is to hear with it. */
      readonly comments?: readonly Comment[];
    }
  | { readonly kind: "rejected" /** Why. */; readonly comments?: readonly Comment[] };

/** Whether a decision counted; `reason` and `notice` are for the user: `toSentence` makes a sentence of them. */
export type DecisionResult =
  | { readonly taken: true; readonly notice?: Notice }
  | { readonly taken: false; readonly reason: Notice };

/**
 * How a waiting change stands to its file, which has changed on disk since: `merged`, its text has what has changed in
 * other lines; `clash`, its text shows both versions of the same lines between markers, and cannot be accepted until
 * none is left; `same`, the file holds this text already; `stale`, its agent would overwrite the file, and it cannot be
 * accepted; `current`, there is nothing to say.
 */
export type DiffState = "current" | "merged" | "clash" | "same" | "stale";

/** The text of a waiting change whose file has changed, before and after. */
export interface DiffUpdate {
  /** The text that was merged. */
  readonly seen: string;
  /** The text that is to be in the diff. */
  readonly text: string;
  readonly state: DiffState;
}

/** A waiting change against its file as it is now. */
export interface Rebase extends DiffUpdate {
  /** The file as it is now, and the change as its agent would have made it for that. */
  readonly proposal: Proposal;
}

/**
 * A change as an editor shows it. The core holds its text and its comments; an editor is a view of them, and reports what
 * its user does. It may do so as often as it likes, and also after the change has ended.
 */
export interface ShownChange {
  readonly id: string;
  /** The file as it is compared with, and what its agent proposes. */
  readonly proposal: Proposal;
  /** As it stands, with what its user typed. */
  readonly text: string;
  /** Grows with each text. */
  readonly revision: number;
  readonly state: DiffState;
  /** Where the text differs from the file, in order. A byte order mark and the form of line ends are no difference. */
  readonly hunks: readonly HunkPlace[];
  /** Lines of all hunks. */
  readonly added: number;
  readonly removed: number;
  readonly comments: readonly Comment[];
  /** It has ended; what is written from now on waits among the recovered edits, unless it is known. */
  readonly isOver: boolean;
  /** Takes the whole text as it stands in the editor. It outlasts a crash: unsaved and undecided, it waits among the recovered edits. */
  write(text: string): void;
  /** Takes all comments. Those that come with no decision wait for the user, as a text does. */
  saveComments(comments: readonly Comment[]): void;
  /** Takes the user's decision about the text as it stands. One that is not taken leaves the diff open. */
  decide(decision: Decision): DecisionResult;
}

/** Why a proposal is taken away without a decision in the editor. */
export type CloseReason = "agent" | "replaced" | "session-ended" | "shutdown";

/** Why an editor is to take a change away; `decided`: in another editor that shows it. */
export type HideReason = CloseReason | "decided";

/** A file to be shown, and where in it. */
export interface FileLocation {
  /** Absolute path of a file that exists. */
  readonly path: string;
  /** 1-based. */
  readonly line?: number;
  /** 1-based, in UTF-16 code units; only together with a line. */
  readonly character?: number;
}

/** What opens files in an editor for its user. */
export interface FileOpener {
  /** Of the editor, for people. */
  readonly name: string;
  /** @throws Error when it cannot be opened */
  open(place: FileLocation): Promise<void>;
}

/** What a terminal of an editor shows now. */
export interface TerminalScreen {
  /** The process that the editor has started in it. */
  readonly pid: number;
  /** As plain text, a line for each row. */
  readonly screen: string;
}

/** What only some editors can do; those that cannot have no such method. Agents are offered those that there are. */
export interface OptionalCapabilities {
  /** Shows what the user has written about a change in another editor that shows it as well. */
  showComments?(change: ShownChange, changes: CommentChanges): void;

  /**
   * Shows a file, without taking the keyboard away from where the user types. Resolves once the user sees it.
   * @throws Error when it cannot be shown; its message goes to the agent.
   */
  openFile?(place: FileLocation): Promise<void>;

  /**
   * What compilers, linters and language servers in this editor have found, unordered and unbounded.
   * @param path absolute; of every file that the editor knows of when there is none
   */
  getDiagnostics?(path?: string): Promise<readonly Diagnostic[]>;

  /**
   * Reads the editor's own terminal in which a program runs.
   * @param pids of the program and of those that have started it
   * @returns undefined where none of them is the process of a terminal, or where nobody can tell what it shows
   */
  readTerminal?(pids: readonly number[]): Promise<TerminalScreen | undefined>;

  /**
   * Types a text into that terminal as one paste, without Enter.
   * @param pid as `readTerminal` gave it
   * @throws Error when there is no such terminal any more
   */
  typeInTerminal?(pid: number, text: string): Promise<void>;
}

/**
 * What the companion asks of an editor. Nothing in the core knows which editor it is.
 * Errors thrown by these methods are reported and never take the companion down.
 */
export interface Editor extends OptionalCapabilities {
  readonly info: EditorInfo;
  /** The process a CLI in the editor's terminal finds as its IDE: the editor's own. */
  readonly pid: number;

  /** Calls back with the whole present state after every change, as often as it likes. */
  onContext(listener: (context: EditorContext) => void): () => void;

  /**
   * Shows a change, without stealing the focus. Resolves once the user can reach it.
   * @throws Error only when no diff can be shown at all; its message goes to the agent's user.
   */
  show(change: ShownChange): Promise<void>;

  /** Takes a change away. Resolves once all that its user has typed is written: see `flush`. */
  hide(change: ShownChange, reason: HideReason): Promise<void>;

  /** Writes into a change what its user has typed and the editor has not written yet. The diff stays open. */
  flush(change: ShownChange): Promise<void>;

  /**
   * Shows a waiting change against its file as it is now, with the text that comes of both, and writes that text into the
   * change. The editor changes nothing when its text is not `seen` any more, or while the user types in it: then it is
   * asked again in a moment.
   */
  update(change: ShownChange, rebase: Rebase): Promise<void>;
}
