import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { PathsOf } from "./hooks.ts";

/** Of a tool that has its file, or a list of them, in one field. */
export const pathIn =
  (field: string): PathsOf =>
  ({ [field]: paths }) =>
    [paths].flat().filter((path) => typeof path === "string");

/** A line of a patch that names a file. */
export const fileLine = /^(\*\*\* (?:(?:Add|Update|Delete) File|Move to): )(.+?)(\r?)$/gm;

/** The folder that a command of the shell goes to before it patches. */
const goesTo = /^\s*cd\s+(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"$`\\;&|<>()]+))\s*&&\s*(?=apply_?patch\s)/;

/** A patch as older models give it to their shell, and what makes paths of its names. */
export function readPatch(command: string) {
  const [head = "", ...folders] = goesTo.exec(command) ?? [];
  const folder = folders.join("");
  const toPath = (name: string) => (folder === "" || path.isAbsolute(name) ? name : path.join(folder, name));
  return { patch: command.slice(head.length), toPath };
}

/** The paths of a patch. A file that is moved has two. */
export const pathsOfPatch: PathsOf = ({ command }) => {
  if (typeof command !== "string" || !command.includes("*** Begin Patch")) return [];
  const { patch, toPath } = readPatch(command);
  return [...new Set([...patch.matchAll(fileLine)].map(([, , name = ""]) => toPath(name)))];
};

/** @returns a patch that gives its one file another text; undefined where none can: it ends the text with a line feed */
export function changePatch(patch: string, before: string, text: string): string | undefined {
  const [, start, kind] = /^(\*\*\* Begin Patch\r?\n\*\*\* (Add|Update) File: .+\n)/.exec(patch) ?? [];
  const names = pathsOfPatch({ command: patch });
  if (start === undefined || names.length > 1 || !text.endsWith("\n")) return undefined;
  const toLines = (mark: string, lines: string) => lines.replace(/\n$/, "").replace(/^/gm, mark);
  const removed = before === "" ? ["@@"] : ["@@", toLines("-", before)];
  return [start.trimEnd(), ...(kind === "Add" ? [] : removed), toLines("+", text), "*** End Patch"].join(
    "\n",
  );
}

/** Replaces a text that a file has, once or wherever it is. @throws Error where it has none, or several */
export function replaceIn(
  file: string,
  [former = "", piece = ""]: readonly unknown[],
  isEverywhere = false,
): void {
  const [before = "", wanted = "", next = ""] = [readFileSync(file, "utf8"), former, piece].map((text) =>
    String(text).replaceAll("\r\n", "\n"),
  );
  const parts = before.split(wanted);
  if (parts.length < 2 || (parts.length > 2 && !isEverywhere)) throw new Error("it is not there once");
  writeFileSync(file, parts.join(next));
}

/** Whether a command line's first word that is neither an option nor the value of one is among these, with `|` between them. */
export const runs = (command: string, words: string): boolean =>
  new RegExp(`^\\S+(?:\\s+-\\S+(?:\\s+[^-\\s]\\S*)?)*\\s+(?:${words})(?:\\s|$)`).test(command);
