import { Broken, NotRun } from "../../assertions.ts";
import type { CliSession } from "../../wire/cli-session.ts";
import type { Notification } from "../../wire/json-rpc.ts";
import type { Bench } from "../check.ts";

export const accepted = "ide/diffAccepted";
export const rejected = "ide/diffRejected";

/** Every outcome that a session received for a file, on any of its streams. */
export function outcomesOf({ streams }: CliSession, filePath?: string): readonly Notification[] {
  const all = [accepted, rejected, "ide/diffClosed"].flatMap((method) =>
    streams.flatMap((stream) => stream.all(method)),
  );
  return filePath === undefined ? all : all.filter(({ params }) => params.filePath === filePath);
}

/**
 * Waits for the outcome of a diff.
 * @throws Broken when there is none in time
 */
export async function untilDecided(
  session: CliSession,
  filePath: string,
  within: number,
): Promise<Notification> {
  const found = await session.stream.find(() => outcomesOf(session, filePath)[0], within);
  if (found) {
    session.openDiffs.delete(filePath);
    return found;
  }
  const others = outcomesOf(session).map(
    ({ method, params }) => `${method} for ${JSON.stringify(params.filePath)}`,
  );
  const got = others.length === 0 ? "nothing" : others.join(", ");
  throw new Broken(
    `no outcome for ${JSON.stringify(filePath)} came within ${within / 1000} s; there came ${got}`,
  );
}

/**
 * Decides an open diff: by the user if there is one, else by `closeDiff`, which a rejection follows.
 */
export async function decide(
  { hasEditor, editor }: Bench,
  session: CliSession,
  filePath: string,
): Promise<void> {
  if (hasEditor) await editor.accept(filePath);
  else await session.closeDiff(filePath, false);
  session.openDiffs.delete(filePath);
}

/**
 * Decides an open diff and waits for its outcome.
 * @throws NotRun when the kit has no way to decide it
 */
export async function decided(bench: Bench, session: CliSession, filePath: string): Promise<Notification> {
  await decide(bench, session, filePath);
  const found = await session.stream.find(() => outcomesOf(session, filePath)[0], bench.limits.event);
  if (found) return found;
  if (bench.hasEditor) throw new Broken(`no ${accepted} for ${filePath} came`);
  throw new NotRun(`no ${rejected} follows closeDiff, and without --editor-command the kit cannot decide`);
}
