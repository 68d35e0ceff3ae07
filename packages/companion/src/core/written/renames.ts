import path from "node:path";
import { linesInBoth, linesOf } from "../../files/line-diff.ts";
import type { Written, WrittenChange } from "./written.ts";

/** Limits of the comparison of a turn, which takes 0.1 s at most. */
const most = { pairs: 50_000, bytes: 8 * 1024 * 1024 };

type Renames = ReadonlyMap<string, WrittenChange>;

const known = new WeakMap<Written, Map<string, Renames>>();

/** The deleted file that a new one was before its turn. */
export function sourceOf(written: Written, { turn, path: file }: WrittenChange): WrittenChange | undefined {
  const byTurn = known.get(written) ?? new Map<string, Renames>();
  known.set(written, byTurn);
  const renames = byTurn.get(turn) ?? renamesIn(written.list((id) => id === turn)[0]?.changes ?? []);
  byTurn.set(turn, renames);
  return renames.get(file);
}

/**
 * The new files of a turn that are a deleted one with another name: at least half of the bytes are in the same lines, as
 * git has it.
 * @returns the deleted files, by path of the new one
 */
function renamesIn(changes: readonly WrittenChange[]): Renames {
  const renames = new Map<string, WrittenChange>();
  const added = changes.filter(({ kind, after }) => kind === "added" && after);
  const left = new Set(changes.filter(({ kind, before }) => kind === "deleted" && before));
  const rename = (fresh: WrittenChange, old: WrittenChange | undefined) => {
    if (old && !renames.has(fresh.path) && left.delete(old)) renames.set(fresh.path, old);
  };
  for (const fresh of added) {
    const same = [...left].find(({ before }) => before === fresh.after);
    rename(fresh, same);
  }
  const others = added.filter((fresh) => !renames.has(fresh.path));
  for (const { fresh, old } of similarPairs(others, [...left])) rename(fresh, old);
  return renames;
}

/** The most similar first. */
function similarPairs(added: readonly WrittenChange[], deleted: readonly WrittenChange[]) {
  if (added.length * deleted.length > most.pairs) return [];
  const pairs = added.flatMap((fresh) =>
    deleted.map((old) => ({ fresh, old, isMoved: path.basename(fresh.path) === path.basename(old.path) })),
  );
  let room = most.bytes;
  return pairs
    .sort((one, other) => Number(other.isMoved) - Number(one.isMoved))
    .flatMap(({ fresh, old }) => {
      const [before, after] = [old.before ?? "", fresh.after ?? ""];
      const size = before.length + after.length;
      const longer = Math.max(before.length, after.length);
      if (size < longer * 1.5 || size > room) return [];
      room -= size;
      const share = linesInBoth(linesOf(before), linesOf(after)).join("").length / longer;
      return share < 0.5 ? [] : [{ fresh, old, share }];
    })
    .sort((one, other) => other.share - one.share);
}
