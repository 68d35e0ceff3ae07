import { setTimeout as delay } from "node:timers/promises";
import { HealthReport } from "../../packages/companion/src/contract/health.ts";
import { send } from "../../packages/companion/src/testing/wire-client.ts";
import { readDiscovered } from "../harness/discovered.ts";
import { untilNothing, within } from "../harness/until.ts";
import { type Burst, fence, type Sequence, tidy } from "./action.ts";
import { type Judgement, judge } from "./judge.ts";
import { expectedAfter } from "./judge-outcomes.ts";
import { isLookedFor, judgeOffered, owedAfter, unpaid } from "./judge-owed.ts";
import { type Connected, type Done, isEnd, type Seen } from "./record.ts";
import type { Stage } from "./stage.ts";

/** All in milliseconds. */
const patience = {
  /** A call that hangs. */
  call: 60_000,
  /** A companion forgets a session whose stream is down for ten seconds: a stage must not be that slow. */
  dropped: 5_000,
};

/**
 * Performs a sequence and looks at everything after each burst.
 * @param effect how long what follows from a burst may take, in milliseconds; a busy machine takes its time
 * @throws Error with everything that is not as it must be
 */
export async function perform(stage: Stage, sequence: Sequence, effect = 15_000): Promise<void> {
  for (const [cli, editor] of sequence.editors.entries()) await stage.connect(cli, editor);
  for (const burst of sequence.bursts) await performBurst(stage, tidy(burst), effect);
  await end(stage, effect);
}

async function performBurst(stage: Stage, burst: Burst, effect: number): Promise<void> {
  await resumeWhoWaitsLong(stage);
  const sessions = [...stage.connected.filter((each) => each !== undefined), ...stage.orphans];
  const before = stage.tracked;
  const doable = burst.filter((action) => !isAmbiguous(stage, burst, action));
  const started = doable.map((action) => ({ run: stage.begin(action), late: action.late }));
  const done = Promise.all(
    started.map(async ({ run, late }) => {
      if (late > 0) await delay(late);
      return run();
    }),
  );
  const dones = await within(burst.map((action) => action.do).join(" | "), patience.call, done);
  // Nobody answers any more where a companion has just ended.
  const isEnded = ({ connected }: Done) =>
    connected !== undefined && dones.some((done) => isEnd(done, connected.editor));
  const failed = dones.filter((done) => done.error !== undefined && !done.diff && !isEnded(done));
  if (failed.length > 0)
    throw new Error(failed.map(({ action, error }) => `${action.do}: ${error}`).join("\n"));
  const look = (): Seen => ({
    dones,
    sessions,
    before,
    news: stage.hands.map(({ news }) => [...news]),
  });
  let seen = look();
  let judgement: Judgement | undefined;
  const complaints = await untilNothing(() => {
    seen = look();
    judgement = judge(stage, seen);
    return judgement.complaints;
  }, effect);
  if (judgement === undefined || complaints.length > 0) throw new Error(complaints.join("\n"));
  commit(stage, seen, judgement);
}

/** A client of the library tells outcomes by their path alone: of two diffs at once it cannot say which. */
function isAmbiguous(stage: Stage, burst: Burst, action: Burst[number]): boolean {
  if (action.do !== "open" || action.cli !== 2 || burst.length === 1) return false;
  const path = stage.files[action.file];
  const isOpen = stage.tracked.some((diff) => diff.path === path && diff.connected === stage.connected[2]);
  return isOpen || burst.some((other) => other !== action && "cli" in other && other.cli === 2);
}

async function resumeWhoWaitsLong(stage: Stage): Promise<void> {
  for (const connected of stage.connected) {
    if (connected?.droppedAt === undefined) continue;
    if (performance.now() - connected.droppedAt > patience.dropped) await stage.resume(connected);
  }
}

function commit(stage: Stage, seen: Seen, { after, ends }: Judgement): void {
  stage.owed = owedAfter(stage, seen, ends);
  // What comes from now on belongs to the next burst.
  for (const [editor, { news }] of stage.hands.entries()) news.splice(0, seen.news[editor]?.length);
  for (const diff of after) diff.text = stage.hands[diff.editor]?.diffs.get(diff.id)?.text ?? diff.text;
  stage.tracked = [...after];
  for (const path of stage.files) {
    const bytes = stage.read(path);
    if (bytes) stage.ledger.set(path, bytes);
  }
  for (const connected of seen.sessions) {
    const expected = expectedAfter(connected, seen, ends);
    connected.expected.splice(0, connected.expected.length, ...expected);
    if (!connected.isOver) writeAccepted(stage, connected);
  }
  // Before another file's text takes the place of it.
  stage.owed = unpaid(stage, stage.owed);
}

function writeAccepted(stage: Stage, connected: Connected): void {
  const { outcomes } = connected.session;
  for (const outcome of outcomes.slice(connected.written)) {
    if (outcome.kind === "accepted") stage.write(outcome.filePath, outcome.content);
  }
  connected.written = outcomes.length;
}

/** Everybody leaves; nothing may be left behind, and nothing may still be on its way. */
async function end(stage: Stage, effect: number): Promise<void> {
  const all = [0, 1, 2].filter((cli) => stage.connected[cli] !== undefined);
  const each = (action: (cli: number) => Burst[number]) => performBurst(stage, all.map(action), effect);
  await each((cli) => ({ do: "resume", cli, late: 0 }));
  // What was sent once too often comes before the fence.
  await each((cli) => ({ do: "open", cli, file: fence, text: `fence of ${cli}\n`, late: 0 }));
  await each((cli) => ({ do: "close", cli, file: fence, suppress: false, late: 0 }));
  await hold(() => wrongContexts(stage), effect);
  await each((cli) => ({ do: "leave", cli, late: 0 }));
  await hold(async () => [...(await wrongHealth(stage)), ...wrongFiles(stage)], effect);
  await hold(() => judgeOffered(stage), effect);
  for (const diff of stage.tracked) diff.isOfThisSequence = false;
  const isShown = (orphan: Connected) => stage.tracked.some(({ connected }) => connected === orphan);
  stage.orphans = stage.orphans.filter((orphan) => isShown(orphan) || isLookedFor(orphan));
}

async function hold(
  missing: () => readonly string[] | Promise<readonly string[]>,
  effect: number,
): Promise<void> {
  const left = await untilNothing(missing, effect);
  if (left.length > 0) throw new Error(left.join("\n"));
}

function wrongContexts(stage: Stage): string[] {
  return stage.connected.flatMap((connected) => {
    const look = connected && stage.looks[connected.editor];
    if (!look) return [];
    const active = connected.session.context?.workspaceState?.openFiles?.find((file) => file.isActive);
    const { path, cursor, selectedText = "" } = active ?? {};
    if (path === look.path && cursor?.line === look.line && selectedText === look.selected) return [];
    return [
      `${connected.session.label} was told ${JSON.stringify(active)}, the user looks at ${JSON.stringify(look)}`,
    ];
  });
}

/** A companion knows of no session and no diff that there is not. */
async function wrongHealth(stage: Stage): Promise<string[]> {
  const wrong = stage.hands.map(async (hand, editor) => {
    const file = readDiscovered(stage.place.host).find(({ port }) => port === hand.port);
    const headers = { authorization: `Bearer ${file?.token}` };
    const { body } = await send(hand.port, { method: "GET", path: "/health", headers });
    const { sessions, diffs } = HealthReport.parse(JSON.parse(body));
    const known = stage.orphans
      .filter((orphan) => orphan.editor === editor)
      .map(({ session }) => session.label);
    const shown = hand.diffs.size;
    return [
      ...sessions
        .filter(({ agent }) => !known.includes(agent))
        .map(({ agent }) => `editor ${editor} still has the session of ${agent}, which has left`),
      ...(diffs.length === shown
        ? []
        : [`editor ${editor} shows ${shown} diffs, its companion knows ${diffs.length}`]),
    ];
  });
  return (await Promise.all(wrong)).flat();
}

/** The files tell of those companions that there are, and of the present folders. */
function wrongFiles(stage: Stage): string[] {
  const files = readDiscovered(stage.place.host);
  const strays = files.filter(({ port }) => stage.hands.every((hand) => hand.port !== port));
  const wrong = stage.hands.flatMap((hand, editor) => {
    const roots = stage.roots[editor]?.join(stage.place.host.delimiter);
    const own = files.filter(({ port }) => port === hand.port);
    return [
      ...(own.length < 4 ? [`only ${own.length} discovery files tell of editor ${editor}`] : []),
      ...own
        .filter(({ workspacePath, serverPid }) => workspacePath !== roots || serverPid !== hand.serverPid)
        .map((file) => `${JSON.stringify(file)} does not tell of ${roots} and process ${hand.serverPid}`),
    ];
  });
  return [...strays.map(({ path }) => `${path} has outlived its companion`), ...wrong];
}
