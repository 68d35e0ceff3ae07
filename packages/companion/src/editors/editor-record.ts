import type { EditorInfo } from "../core/editor.ts";
import type { LspClient } from "./lsp-client.ts";
import type { MakePlan } from "./set-up/plan.ts";
import type { Variables } from "./terminal-signs.ts";

/** Everything that is known of one editor. Absent is what is not known, or not so. */
export interface EditorRecord extends EditorInfo {
  /**
   * What in a terminal's variables shows that the terminal is this editor's; undefined when nothing does.
   * @returns for people: `ZED_SESSION_ID is set`
   */
  sign?(env: Variables): string | undefined;
  /** Matches the names of its programs: in lower case, without folder and `.exe`. */
  readonly processes?: RegExp;
  /** Matches the command lines of its processes where their programs' names say nothing. */
  readonly inCommand?: RegExp;
  /** Which product of a family a command line belongs to; undefined for none that is known. */
  findProduct?(command: string): EditorInfo | undefined;
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
