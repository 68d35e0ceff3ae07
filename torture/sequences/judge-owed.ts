import { type Connected, type End, isEnd, quote, type Seen } from "./record.ts";
import type { Stage } from "./stage.ts";

/** How long a companion looks for a session without a stream, and the busiest machine longer; in milliseconds. */
export const orphanPatience = 11_000 + 9_000;

/** A text with the user's edits that was accepted: its agent hears it, its file holds it, or the user is given it back. */
export interface Owed {
  readonly connected: Connected;
  readonly editor: number;
  readonly id: string;
  readonly path: string;
  readonly text: string;
}

type Present = Pick<Stage, "hands" | "owed" | "read">;

/** What is owed after a burst; to be asked before its news is forgotten. */
export function owedAfter(stage: Present, seen: Seen, ends: readonly End[]): Owed[] {
  const all = [...stage.owed, ...ends.flatMap(newlyOwed)];
  // Whoever ends takes along what nobody has asked of him yet: that is not promised.
  return all.filter((one) => !seen.dones.some((done) => isEnd(done, one.editor)) && !isPaid(stage, one));
}

/** Once everybody has left there is nobody else who could have an accepted text. */
export function judgeOwed(stage: Present): string[] {
  return stage.owed
    .filter((one) => !isPaid(stage, one) && !isLookedFor(one.connected))
    .map(
      ({ id, path, text, connected, editor }) =>
        `diff ${id} of ${path} by ${connected.session.label} in editor ${editor}: what was accepted is lost: ${quote(text)}`,
    );
}

/** Its companion may yet find out that it has gone. */
export const isLookedFor = ({ abandonedAt }: Connected): boolean =>
  abandonedAt !== undefined && performance.now() - abandonedAt < orphanPatience;

function newlyOwed({ diff, taken }: End): Owed[] {
  const { connected, editor, id, path, proposed } = diff;
  return taken.flatMap(({ action, text = "" }) =>
    action.do === "accept" && text !== proposed ? [{ connected, editor, id, path, text }] : [],
  );
}

function isPaid(stage: Present, { connected, editor, id, path, text }: Owed): boolean {
  const isHeard = connected.session.outcomes.some(
    (one) => one.kind === "accepted" && one.filePath === path && one.content === text,
  );
  const isKept = stage.hands[editor]?.news.some(
    (each) => each.kind === "kept" && each.id === id && each.content === text,
  );
  return isHeard || isKept === true || stage.read(path)?.equals(Buffer.from(text)) === true;
}
