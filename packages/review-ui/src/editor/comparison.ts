import { Change } from "@codemirror/merge";
import { Text } from "@codemirror/state";
import type { LineChange } from "../../../companion/src/files/line-diff.ts";
import { isPlain, type TextScale } from "../text/text-scale.ts";
import type { DiffAnswer, DiffRequest } from "./diff-worker.ts";
import { adoptBlanks, compareWithin, diffLines, slideDown, toBlocks } from "./line-diff.ts";

/** Two documents and their differences. */
export interface Comparison {
  readonly original: Text;
  readonly draft: Text;
  /** Undefined when the editor has to compute them. */
  readonly changes: readonly Change[] | undefined;
}

/** Longer texts are compared in a worker; the sum of both, in UTF-16 units. */
const largeTexts = 300_000;

export function isCompareSlow(original: string, draft: string): boolean {
  return original.length + draft.length > largeTexts;
}

/**
 * The text that a draft is compared with where lines that differ in white space alone are to be unchanged: another one
 * whenever the draft has other blanks. Large texts show that.
 */
export function hideBlanks(original: string, draft: string): string {
  return isCompareSlow(original, draft) ? original : adoptBlanks(original, draft);
}

/** Compares synchronously, for texts that are not large. */
export function compareNow(original: string, draft: string): Comparison {
  return { original: toDocument(original), draft: toDocument(draft), changes: undefined };
}

/** Compares large texts while the page stays responsive. */
export async function compareApart(
  original: string,
  draft: string,
  scale: TextScale,
  signal: AbortSignal,
): Promise<Comparison> {
  const isWhole = original === "" || draft === "";
  const changes = isWhole
    ? diffLines(original, draft)
    : await askWorker({ before: original, after: draft, isPlain: isPlain(scale) }, signal);
  await nextTask();
  const originalDocument = toDocument(original);
  await nextTask();
  const draftDocument = toDocument(draft);
  await nextTask();
  return { original: originalDocument, draft: draftDocument, changes };
}

/** Two texts whose changed lines are known. */
export function compareWithinHunks(
  original: string,
  draft: string,
  hunks: readonly LineChange[],
  scale: TextScale,
): Comparison {
  const blocks = blocksOf(original, draft, hunks);
  const changes = isPlain(scale) ? blocks : blocks.flatMap((block) => compareWithin(block, original, draft));
  return { original: toDocument(original), draft: toDocument(draft), changes };
}

/** Where hunks are shown in both texts, in the same order. */
export function blocksOf(original: string, draft: string, hunks: readonly LineChange[]): readonly Change[] {
  const blocks = toBlocks(original, draft, hunks);
  const slid = slideDown(blocks, original, draft);
  return slid.length === blocks.length ? slid : blocks;
}

/** Compares in the page or in a worker. */
export async function compareTexts(
  original: string,
  draft: string,
  scale: TextScale,
  signal: AbortSignal,
): Promise<Comparison> {
  if (!isCompareSlow(original, draft)) return compareNow(original, draft);
  return compareApart(original, draft, scale, signal);
}

/**
 * A document of an exact text: only "\n" separates lines. A document never changes, so `toString` returns the same
 * text: joining a hundred thousand lines again for each comparison takes a tenth of a second.
 */
function toDocument(text: string): Text {
  return Object.assign(Text.of(text.split("\n")), { toString: () => text });
}

/** @returns undefined when the worker cannot be started */
function askWorker(request: DiffRequest, signal: AbortSignal): Promise<readonly Change[] | undefined> {
  const url = document.querySelector<HTMLMetaElement>('meta[name="diff-worker"]')?.content;
  if (!url) return Promise.resolve(undefined);
  const worker = new Worker(url);
  return new Promise<readonly Change[] | undefined>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<DiffAnswer>) => resolve(toChanges(data));
    // The companion may have ended, so that the worker's script cannot be loaded.
    worker.onerror = () => resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined));
    worker.postMessage(request);
  }).finally(() => worker.terminate());
}

function toChanges(answer: DiffAnswer): readonly Change[] {
  const changes: Change[] = [];
  for (let at = 0; at < answer.length; at += 4) {
    const [fromA = 0, toA = 0, fromB = 0, toB = 0] = answer.subarray(at, at + 4);
    changes.push(new Change(fromA, toA, fromB, toB));
  }
  return changes;
}

/** Lets the browser draw and handle events. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
