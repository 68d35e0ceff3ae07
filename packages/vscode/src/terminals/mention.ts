import { isAbsolute, relative, sep } from "node:path";

/** Lines of a file, 1-based, both included. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/**
 * A file as the CLIs are pointed to it: `@src/main.ts `, seen from the folder that the CLI runs in.
 * @param lines are told in words: no CLI has a sign for them
 * @returns undefined for a name that would press keys in the terminal, Enter for one
 */
export function toMention(path: string, folder: string | undefined, lines?: Lines): string | undefined {
  if (/\p{Cc}/u.test(path)) return undefined;
  const inside = folder === undefined ? path : relative(folder, path);
  const isInside = !inside.startsWith("..") && !isAbsolute(inside);
  const name = (isInside ? inside : path).split(sep).join("/");
  // A blank ends a mention unless it is escaped.
  const mention = `@${name.replace(/[\s\\]/g, "\\$&")}`;
  if (lines === undefined) return `${mention} `;
  const which = lines.first === lines.last ? `line ${lines.first}` : `lines ${lines.first}-${lines.last}`;
  return `${mention} (${which}) `;
}
