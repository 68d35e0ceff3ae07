import path from "node:path";
import { withoutControls } from "../files/safe-text.ts";
import { isInside } from "../files/workspace-path.ts";
import type { Diagnostic } from "./editor.ts";

/** A file, or lines of it, that the user wants in the agent's prompt. */
export interface Mention {
  /** Absolute. */
  readonly path: string;
  /** From 1, both included; the whole file when there are none. */
  readonly lines?: { readonly first: number; readonly last: number };
}

export type Lines = NonNullable<Mention["lines"]>;

/** What a user sends to an agent's prompt: any of the three, together. */
export interface PromptMessage {
  readonly mentions?: readonly Mention[];
  readonly diagnostics?: readonly Diagnostic[];
  /** In the user's words. */
  readonly text?: string;
}

/** Whether a message is references alone: some agents take these in a separate message. */
export const isMentions = ({ diagnostics = [], text = "" }: PromptMessage): boolean =>
  diagnostics.length === 0 && text.trim() === "";

/** The files that a message names. */
export const pathsOf = ({ mentions = [], diagnostics = [] }: PromptMessage): ReadonlySet<string> =>
  new Set([...mentions.map((mention) => mention.path), ...diagnostics.map(({ filePath }) => filePath)]);

/**
 * A message as text for a prompt, ready to be pasted. It ends with a blank, so that the user can go on.
 * @param folder in which the agent runs; paths inside are relative to it
 * @returns undefined when a name holds control characters, which would press keys in a terminal
 */
export function toPromptText(message: PromptMessage, folder?: string): string | undefined {
  if ([...pathsOf(message)].some((one) => /[\p{Cc}\u2028\u2029]/u.test(one))) return undefined;
  const { mentions = [], diagnostics = [], text = "" } = message;
  const references = mentions.map((mention) => toReference(mention.path, folder, mention.lines)).join(" ");
  if (isMentions(message)) return `${references} `;
  const found = diagnostics.map((one) => describeDiagnostic(one, folder));
  return withoutControls([text.trim(), references, ...found].filter((part) => part !== "").join("\n")).concat(
    " ",
  );
}

/** `@src/a.ts (line 3): error: … (typescript 2345)` */
function describeDiagnostic(one: Diagnostic, folder: string | undefined): string {
  const { filePath, line, severity, message, source, code } = one;
  const origin = [source, code].filter((part) => part !== undefined).join(" ");
  const where = toReference(filePath, folder, { first: line, last: line });
  return `${where}: ${severity}: ${message}${origin === "" ? "" : ` (${origin})`}`;
}

/** `@src/main.ts`; lines become words, because no CLI has a syntax for them. */
function toReference(file: string, folder: string | undefined, lines: Lines | undefined): string {
  const isShort = folder !== undefined && isInside(file, folder);
  const name = (isShort ? path.relative(folder, file) || "." : file).split(path.sep).join("/");
  // An unescaped blank ends a reference.
  const reference = `@${name.replace(/[\s\\]/g, "\\$&")}`;
  if (lines === undefined) return reference;
  const { first, last } = lines;
  return `${reference} (${first === last ? `line ${first}` : `lines ${first}-${last}`})`;
}
