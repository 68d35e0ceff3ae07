import { z } from "zod";
import { holds, JsonValue, putEntries, putValues, takeEntries, takeValues } from "./json-values.ts";

/** A piece of a text file: data, because it is kept until it is to be taken out again. */
export const Edit = z.discriminatedUnion("kind", [
  /** The whole file is ours. */
  z.object({ kind: z.literal("whole"), text: z.string() }),
  /** Lines between two marks, at the end of a file. `comment` begins one in its language. */
  z.object({ kind: z.literal("block"), comment: z.string(), lines: z.array(z.string()).readonly() }),
  /** Values in JSON, in which there may be comments, and entries of lists that may have others. */
  z.object({
    kind: z.literal("json"),
    values: z.array(JsonValue).readonly(),
    entries: z.array(JsonValue).readonly().optional(),
  }),
]);
export type Edit = z.infer<typeof Edit>;

/**
 * The text with the edit in it.
 * @param text undefined when there is no file
 * @param former what earlier calls may have put there
 * @throws Error when it cannot be put in; the end of a sentence for people
 */
export function putIn(edit: Edit, text: string | undefined, former: readonly Edit[] = []): string {
  switch (edit.kind) {
    case "whole": {
      const isOurs = [edit, ...former].some((one) => one.kind === "whole" && one.text === text);
      if (text !== undefined && !isOurs) throw new Error("it is there already, and not by this command");
      return edit.text;
    }
    case "block":
      return putBlock(edit, text ?? "");
    case "json":
      return putEntries(edit.entries ?? [], putValues(edit.values, withoutFormer(edit, former, text ?? "")));
  }
}

/** A text without entries that an earlier version has put there, and that are others now. */
function withoutFormer(
  { entries = [] }: Edit & { kind: "json" },
  former: readonly Edit[],
  text: string,
): string {
  const wanted = entries.map((one) => JSON.stringify(one));
  const all = former.flatMap((one) => (one.kind === "json" ? (one.entries ?? []) : []));
  const old = all.filter((one) => !wanted.includes(JSON.stringify(one)));
  return old.length === 0 ? text : takeEntries(old, text);
}

/** An edit with those values of earlier ones that a text still holds: it is all that is to be taken out of the text. */
export function withFormer(edit: Edit, former: readonly Edit[], text: string): Edit {
  if (edit.kind !== "json") return edit;
  const values = [...edit.values];
  for (const { key, value } of former.flatMap((one) => (one.kind === "json" ? one.values : []))) {
    const isKnown = values.some((one) => JSON.stringify(one.key) === JSON.stringify(key));
    if (!isKnown && holds(text, key, value)) values.push({ key, value });
  }
  return { ...edit, values };
}

/**
 * The text without the edit.
 * @param before as it was before the edit; undefined when there was no file
 * @returns undefined when nothing is left of what was never there
 */
export function takeOut(edit: Edit, text: string, before: string | undefined): string | undefined {
  switch (edit.kind) {
    case "whole":
      return text === edit.text ? undefined : text;
    case "block": {
      const rest = takeBlock(edit, text);
      return rest === "" && before === undefined ? undefined : rest;
    }
    case "json": {
      const rest = takeValues(edit.values, takeEntries(edit.entries ?? [], text), before);
      return before === undefined && /^\s*\{\s*\}\s*$/.test(rest) ? undefined : rest;
    }
  }
}

/** Lines between two marks. */
type Block = Omit<Edit & { kind: "block" }, "kind">;

const opening = "ide-companion >>>";
const closing = "ide-companion <<<";

/**
 * Puts the block in the place of the one that is there, or else at the end.
 * @throws Error when one of the marks is missing
 */
function putBlock(block: Block, text: string): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const own = [`${block.comment} ${opening}`, ...block.lines, `${block.comment} ${closing}`, ""].join(eol);
  const range = findBlock(block, text);
  if (range) return text.slice(0, range.start) + own + text.slice(range.end);
  const separator = text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  return text + separator + own;
}

/** Takes the block out, and the empty line that was put before it. */
export function takeBlock(block: Block, text: string): string {
  const range = findBlock(block, text);
  if (!range) return text;
  return text.slice(0, range.start).replace(/(^|\n)\r?\n$/, "$1") + text.slice(range.end);
}

function findBlock({ comment }: Block, text: string) {
  const start = indexOfLine(text, `${comment} ${opening}`);
  const last = indexOfLine(text, `${comment} ${closing}`);
  if (start < 0 && last < 0) return undefined;
  if (start < 0 || last < start) {
    throw new Error(`it has only one of the lines "${comment} ${opening}" and "${comment} ${closing}"`);
  }
  const end = text.indexOf("\n", last);
  return { start, end: end < 0 ? text.length : end + 1 };
}

function indexOfLine(text: string, line: string): number {
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1)) {
    const isWhole =
      (at === 0 || text[at - 1] === "\n") &&
      /^\r?(\n|$)/.test(text.slice(at + line.length, at + line.length + 2));
    if (isWhole) return at;
  }
  return -1;
}
