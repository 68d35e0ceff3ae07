import { z } from "zod";
import { putBlock, takeBlock } from "./block.ts";
import { putValues, takeValues } from "./json-values.ts";

/** A piece of a text file: data, because it is kept until it is to be taken out again. */
export const Edit = z.discriminatedUnion("kind", [
  /** The whole file is ours. */
  z.object({ kind: z.literal("whole"), text: z.string() }),
  /** Lines between two marks, at the end of a file. */
  z.object({ kind: z.literal("block"), comment: z.string(), lines: z.array(z.string()).readonly() }),
  /** Values in JSON, in which there may be comments. */
  z.object({
    kind: z.literal("json"),
    values: z.array(z.object({ key: z.array(z.string()).readonly(), value: z.json() })).readonly(),
  }),
]);
export type Edit = z.infer<typeof Edit>;

/**
 * The text with the edit in it.
 * @param text undefined when there is no file
 * @param former what an earlier call has put there
 * @throws Error when it cannot be put in; the end of a sentence for people
 */
export function putIn(edit: Edit, text: string | undefined, former?: Edit): string {
  switch (edit.kind) {
    case "whole": {
      const isOurs = text === edit.text || (former?.kind === "whole" && text === former.text);
      if (text !== undefined && !isOurs) throw new Error("it is there already, and not by this command");
      return edit.text;
    }
    case "block":
      return putBlock(edit, text ?? "");
    case "json":
      return putValues(edit.values, text ?? "");
  }
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
      const rest = takeValues(edit.values, text, before);
      return before === undefined && /^\s*\{\s*\}\s*$/.test(rest) ? undefined : rest;
    }
  }
}
