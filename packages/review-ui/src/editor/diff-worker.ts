import { diffInDetail, diffLines } from "./line-diff.ts";

export interface DiffRequest {
  readonly before: string;
  readonly after: string;
  /** Whole lines are enough. */
  readonly isPlain: boolean;
}

/** Four numbers for each change, in the order of a Change's. */
export type DiffAnswer = Int32Array;

// Runs in a worker of the page.
self.onmessage = ({ data }: MessageEvent<DiffRequest>) => {
  const { before, after, isPlain } = data;
  const changes = isPlain ? diffLines(before, after) : diffInDetail(before, after);
  const answer: DiffAnswer = new Int32Array(changes.length * 4);
  for (const [index, { fromA, toA, fromB, toB }] of changes.entries()) {
    answer.set([fromA, toA, fromB, toB], index * 4);
  }
  self.postMessage(answer, { transfer: [answer.buffer] });
};
