import { type Stats, statSync } from "node:fs";
import path from "node:path";
import { codeOf } from "../../system/error-message.ts";
import { suggest } from "../arguments.ts";
import { type Invocation, UsageError } from "../invocation.ts";

/**
 * The folders to serve: those that were named, once each, or else the present one.
 * @returns absolute paths
 * @throws UsageError naming the folder that is none
 */
export function resolveFolders(
  invocation: Pick<Invocation, "arguments" | "commands" | "folder">,
): readonly string[] {
  const { words } = invocation.arguments;
  const present = invocation.folder;
  // A mistyped command looks like a folder.
  const commandNames = invocation.commands.map(({ name }) => name).filter((name) => name !== "");
  const folders = words.length === 0 ? [present] : words.map((word) => path.resolve(present, word));
  for (const [index, folder] of folders.entries()) checkFolder(folder, words[index] ?? folder, commandNames);
  return [...new Set(folders)];
}

function checkFolder(folder: string, word: string, commandNames: readonly string[]): void {
  const stats = tryStat(folder);
  if (stats === undefined) {
    throw new UsageError(`there is no folder ${folder}${suggest(word, commandNames)}`);
  }
  if (!stats.isDirectory()) throw new UsageError(`${folder} is a file, not a folder`);
}

/** @returns undefined when there is nothing of that name */
function tryStat(folder: string): Stats | undefined {
  try {
    return statSync(folder);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new UsageError(`${folder} cannot be opened: ${error instanceof Error ? error.message : error}`);
  }
}
