import type { CliSession, Reply } from "../harness/cli.ts";
import type { Decided, EditorNews, ShownDiff } from "../harness/driver.ts";
import type { Action } from "./action.ts";

/** An outcome that a session must receive. */
export interface Expected {
  readonly kind: "accepted" | "rejected";
  readonly path: string;
  /** One of these, when accepted. */
  readonly texts: readonly string[];
  /** Or a text with all of these lines: the file had changed, and what was accepted was merged with it. */
  readonly lines?: readonly string[];
  /** Forgotten by a newer proposal, or its session is over: it may come, once. */
  optional: boolean;
}

/** What a CLI has asked its companion to show. */
export interface Proposed {
  readonly path: string;
  readonly text: string;
}

/** A CLI's connection, according to the model. */
export interface Connected {
  readonly cli: number;
  readonly editor: number;
  readonly port: number;
  readonly session: CliSession;
  readonly expected: Expected[];
  /** Outcomes of which the CLI has written the file. */
  written: number;
  isOver: boolean;
  /** Proposals that were on their way when it ended: its editor may still show each of them, once. */
  underway: readonly Proposed[];
  /** How its companion ended under it. */
  end?: "restart" | "kill companion" | "kill editor";
  /** When its stream broke; `performance.now()`, as all times here. */
  droppedAt?: number;
  /** When it was abandoned. */
  abandonedAt?: number;
}

/** A shown diff, according to the model. */
export interface Tracked {
  readonly editor: number;
  readonly id: string;
  readonly path: string;
  proposed: string;
  readonly connected: Connected;
  isOfThisSequence: boolean;
  /** What was on the screen after the last burst. */
  text: string;
}

/** An action and its result. */
export interface Done {
  readonly action: Action;
  connected?: Connected;
  path?: string;
  diff?: Tracked;
  reply?: Reply;
  result?: Decided;
  /** What was on the screen when the user decided. */
  text?: string;
  /** The same without the user's edits, and the file next to it. */
  proposed?: string;
  base?: string;
  /** What the file held when the user decided. */
  onDisk?: string;
  /** What was on the screen when the companion ended, by the ids of the diffs. */
  screen?: ReadonlyMap<string, Texts>;
  error?: string;
}

/** A burst as all sides saw it. */
export interface Seen {
  readonly dones: readonly Done[];
  /** Every session that was there when it began. */
  readonly sessions: readonly Connected[];
  /** The diffs that were shown when it began. */
  readonly before: readonly Tracked[];
  /** What each editor was asked to do. */
  readonly news: readonly (readonly EditorNews[])[];
}

/** A diff with the user's edits and without them. */
export type Texts = Pick<ShownDiff, "text" | "proposed">;

export type Closed = Extract<EditorNews, { kind: "closed" }>;

/** One diff and how it ended. */
export interface End {
  readonly diff: Tracked;
  readonly taken: readonly Done[];
  readonly closed: readonly Closed[];
}

export type Complain = (text: string) => void;

/** The CLI has called a tool for one of its diffs. */
export const isCall = ({ action }: Done) =>
  action.do === "close" || action.do === "acceptDiff" || action.do === "rejectDiff";

/** What was accepted is the text on the screen together with what had changed on disk. */
export const isMerged = (result: Decided | undefined): boolean =>
  result?.taken === true && result.code !== undefined;

/** The companion of an editor has ended. */
export const isEnd = ({ action }: Done, editor: number) =>
  (action.do === "restart" || action.do === "kill companion" || action.do === "kill editor") &&
  action.editor === editor;

/** Lines of a text that its original does not have: somebody has written them. */
export function ownLines(text: string, original: string): string[] {
  const [lines, former] = [linesOf(text), new Set(linesOf(original))];
  return lines.filter((line) => !former.has(line));
}

/** Without their ends, and without the byte order mark: agents put both back. */
export const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, "").split(/\r?\n/);

export function quote(text: string): string {
  const quoted = JSON.stringify(text).replaceAll("\uFEFF", "\\ufeff");
  return quoted.length > 80 ? `${quoted.slice(0, 60)}… (${text.length})` : quoted;
}

/** A text that the user has typed in a proposal that has ended: its file holds it, or it is among the recovered edits. */
export interface Owed {
  readonly connected: Connected;
  readonly editor: number;
  readonly id: string;
  readonly path: string;
  readonly text: string;
  /** `performance.now()` when its proposal had ended. */
  readonly since: number;
}
