import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Does in a folder what `apply_patch` of opencode does: each part of a patch reads its file as it is before all of them.
 * @param names of the files: the folder has copies of those that there are, by their numbers
 * @throws Error where the patch fails, fits only nearly, or versions of opencode write different texts
 */
export function attemptPatch(patch: string, names: readonly string[], folder: string): void {
  const copyOf = (name: string) => {
    if (!names.includes(name)) throw new Error("it has no such file");
    return path.join(folder, String(names.indexOf(name)));
  };
  const [head, body = "", tail, ...more] = patch.trim().split(/^\*\*\* (?:Begin|End) Patch\s*$/m);
  if (head !== "" || tail !== "" || more.length > 0) throw new Error("it is not a patch alone");
  const parts = body.split(/^(?=\*\*\*)(?!\*\*\* Move to: )/m);
  const changes = parts.map((part) => {
    // opencode passes over this line.
    if (/^\s*(?:\*\*\* End of File\s*)?$/.test(part)) return () => {};
    const [, kind, name = "", newName, lines = ""] = patchPart.exec(part) ?? [];
    const [from, to] = [copyOf(name), copyOf(newName ?? name)];
    const text = kind === "Update" ? toUpdated(readFileSync(from, "utf8"), lines) : toAdded(lines);
    return () => {
      if (kind !== "Delete") writeFileSync(to, text);
      if (kind === "Delete" || newName !== undefined) rmSync(from);
    };
  });
  for (const change of changes) change();
}

const patchPart = /^\*\*\* (Add|Update|Delete) File: (\S.*?)\s*\n(?:\*\*\* Move to: (\S.*?)\s*\n)?([\s\S]*)$/;

const linesWith = (mark: RegExp, lines: readonly string[]): readonly string[] =>
  lines.filter((line) => mark.test(line)).map((line) => line.slice(1));

const toAdded = (lines: string): string =>
  linesWith(/^\+/, lines.split("\n"))
    .join("\n")
    .replace(/[^\n]$/, "$&\n");

function toUpdated(before: string, changes: string): string {
  const text = before.replace(/^\uFEFF/, "");
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  const [next, atEnd]: [string[], string[]] = [[], []];
  let [start, copied] = [0, 0];
  for (const change of changes.split(/^@@/m).slice(1)) {
    const [context = "", ...marked] = change.split("\n");
    if (context.trim() !== "") start = find([context.trim()], lines, start) + 1;
    const [former, latter] = [linesWith(/^[ -]/, marked), linesWith(/^[ +]/, marked)];
    if (former.length === 0) atEnd.push(...latter);
    else {
      const found = find(former, lines, start);
      next.push(...lines.slice(copied, found), ...latter);
      copied = found + former.length;
      start = copied;
    }
  }
  next.push(...lines.slice(copied), ...atEnd);
  if ([lines, next].some((all) => all.at(-1) === "")) throw new Error("versions end it differently");
  const mark = before.slice(0, before.length - text.length);
  return mark + [...next, ""].join("\n");
}

/** @returns where they stand first, rather as they are than with other white space @throws Error where they do not */
function find(wanted: readonly string[], lines: readonly string[], start: number): number {
  for (const form of [String, (line: string) => line.trimEnd(), (line: string) => line.trim()]) {
    const [all, some] = [lines.map(form), wanted.map(form)];
    const found = all.findIndex(
      (_, at) => at >= start && some.every((line, index) => all[at + index] === line),
    );
    if (found >= 0) return found;
  }
  throw new Error("it is not there");
}
