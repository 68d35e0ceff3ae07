import { takeBlock } from "./edits/edit.ts";
import type { Plan } from "./plan.ts";
import { readText } from "./text-file.ts";

/** What has been set up by hand stays as it is: twice would be once too often. */
export const manuallySetUp: Plan = { parts: [], next: [] };

/**
 * Whether a file says something outside of our block.
 * @param comment what begins a comment in it
 */
export function isManuallySetUp(file: string, comment: string, pattern: RegExp): boolean {
  const text = readText(file) ?? "";
  try {
    return pattern.test(takeBlock({ comment, lines: [] }, text));
  } catch {
    return false; // half a block, which is reported when it is to be changed
  }
}
