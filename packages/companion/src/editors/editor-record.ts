import type { EditorInfo } from "../core/editor.ts";
import type { MakePlan } from "./set-up/plan.ts";

/** Everything that is known of one editor. Absent is what is not known, or not so. */
export interface EditorRecord extends EditorInfo {
  /**
   * What in a terminal's variables shows that the terminal is this editor's; undefined when nothing does.
   * @returns for people: `ZED_SESSION_ID is set`
   */
  sign?(env: Variables): string | undefined;
  /** What its LSP client does that its capabilities do not say. */
  readonly lsp?: LspClient;
  /** What `ide-companion install` needs. */
  readonly install?: Installation;
  /** The page that describes it, relative to `docs/editors`. */
  readonly page?: string;
}

/** An editor that its terminals show by a variable. */
export type EditorWithSign = EditorRecord & Required<Pick<EditorRecord, "sign">>;

/** How an editor is found and set up. */
export interface Installation {
  /** The names that its program has, the usual one first. */
  readonly programs: readonly string[];
  /** Where its program is when it is not in the PATH; absent where nothing needs to be known. */
  readonly app?: AppNames;
  /** Loaded when it is wanted. */
  load(): Promise<MakePlan>;
}

/** How an application is called in the folders that applications are installed in. */
export interface AppNames {
  /** Without `.app`. */
  readonly mac: string;
  readonly windows?: string;
}

/** What an editor's LSP client does that its capabilities do not say. Seen, each of them, in the version named, or documented. */
export interface LspClient {
  /** How it names itself, in lower case. */
  readonly names: readonly string[];
  /** The product's name in the version that it sends; undefined for the version of another client. */
  findProduct?(version: string): string | undefined;
  /** Opens documents although it does not say so. */
  readonly showsDocuments?: boolean;
  /** Edits documents for a command that its user has chosen, although it does not say so. */
  readonly appliesEdits?: boolean;
  /** A message with choices takes the keyboard away from the user at once. */
  readonly choicesAreModal?: boolean;
  /** The terminal does what a text tells it: clears the screen, sets titles and clipboards. */
  readonly sendsControls?: boolean;
  /** A carriage return alone is a character of its line, whatever LSP says. */
  readonly returnsEndNoLines?: boolean;
  /** What it sends in one moment comes in any order. */
  readonly overtakes?: boolean;
  /** It offers choices although it does not say so. */
  readonly offersChoices?: boolean;
  /** Never tells a selection of nothing: its cursor is a selection of one character. */
  readonly hasBlockCursor?: boolean;
  readonly keys?: Keys;
  /** It draws the messages of hints over the text. */
  readonly coversTextByHints?: boolean;
  /** Questions that we must not offer to answer, because our empty answer would be in the user's way. */
  readonly unwanted?: readonly Question[];
}

/** What editors ask about a place, and we answer with nothing. */
export type Question = "hover" | "signatureHelp" | "documentHighlight" | "inlayHint" | "selectionRange";

/** What the user of an editor types for what we cannot do. */
export interface Keys {
  /** Opens the menu of actions. */
  readonly actions: string;
  /** Shows what a hover has. */
  readonly hover: string;
  /** Closes a document that is decided: the editor lets nobody else do it. */
  readonly close: string;
  /** Loads what the agent has written. */
  readonly reload: string;
}

/** The variables of a terminal. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** What in the variables speaks for an editor, for people; undefined when nothing does. */
type Sign = (env: Variables) => string | undefined;

/** The variable is set. The value is not shown: it may be a secret or mean nothing to anybody. */
export const isSet =
  (variable: string): Sign =>
  (env) =>
    env[variable] ? `${variable} is set` : undefined;

/** A variable has exactly this value. */
export const equals =
  (variable: string, value: string): Sign =>
  (env) =>
    env[variable] === value ? `${variable}=${value}` : undefined;

/** The first of several signs that is there. */
export const either =
  (...signs: readonly Sign[]): Sign =>
  (env) =>
    signs.map((sign) => sign(env)).find((sign) => sign !== undefined);
