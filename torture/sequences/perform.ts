import { setTimeout as delay } from "node:timers/promises";
import { isInside } from "../../packages/companion/src/files/workspace-path.ts";
import { settleWithin } from "../../packages/testkit/src/waiting.ts";
import { readDiscovered } from "../harness/discovered.ts";
import { readHealth } from "../harness/health.ts";
import { untilNothing } from "../harness/until.ts";
import { type Burst, fence, type Sequence, unambiguous } from "./action.ts";
import { begin } from "./begin.ts";
import type { Fixture } from "./fixture.ts";
import { type Judgement, judge, underwayAfter } from "./judge.ts";
import { expectedAfter } from "./judge-outcomes.ts";
import { isExpected, judgeOffered, owedAfter, unpaid } from "./judge-owed.ts";
import { type Connected, type Done, isEnd, type Seen } from "./record.ts";

/** All in milliseconds. */
const patience = {
  /** A call that hangs. */
  call: 60_000,
  /** A companion forgets a session whose stream is down for ten seconds: a fixture must not be that slow. */
  dropped: 5_000,
};

/**
 * Performs a sequence and checks everything after each burst.
 * @param effect how long what follows from a burst may take, in milliseconds; a busy machine takes its time
 * @throws Error with everything that is not as it must be
 */
export async function perform(fixture: Fixture, sequence: Sequence, effect = 15_000): Promise<void> {
  for (const [cli, editor] of sequence.editors.entries()) await fixture.connect(cli, editor);
  for (const burst of sequence.bursts) await performBurst(fixture, unambiguous(burst), effect);
  await end(fixture, effect);
}

async function performBurst(fixture: Fixture, burst: Burst, effect: number): Promise<void> {
  await resumeWhoWaitsLong(fixture);
  const sessions = [...fixture.connected.filter((each) => each !== undefined), ...fixture.orphans];
  const before = fixture.tracked;
  const doable = burst.filter((action) => !isAmbiguous(fixture, burst, action));
  const started = doable.map((action) => ({ run: begin(fixture, action), late: action.late }));
  const done = Promise.all(
    started.map(async ({ run, late }) => {
      if (late > 0) await delay(late);
      return run();
    }),
  );
  const dones = await settleWithin(burst.map((action) => action.do).join(" | "), patience.call, done);
  // A companion that has just ended answers nothing.
  const isEnded = ({ connected }: Done) =>
    connected !== undefined && dones.some((done) => isEnd(done, connected.editor));
  const failed = dones.filter((done) => done.error !== undefined && !done.diff && !isEnded(done));
  if (failed.length > 0)
    throw new Error(failed.map(({ action, error }) => `${action.do}: ${error}`).join("\n"));
  const observe = (): Seen => ({
    dones,
    sessions,
    before,
    news: fixture.drivers.map(({ news }) => [...news]),
  });
  let seen = observe();
  let judgement: Judgement | undefined;
  const complaints = await untilNothing(() => {
    seen = observe();
    judgement = judge(fixture, seen);
    return judgement.complaints;
  }, effect);
  if (judgement === undefined || complaints.length > 0) throw new Error(complaints.join("\n"));
  commit(fixture, seen, judgement);
}

/** A client of the library identifies outcomes by path only: it cannot distinguish two diffs of one path. */
function isAmbiguous(fixture: Fixture, burst: Burst, action: Burst[number]): boolean {
  if (action.do !== "open" || action.cli !== 2 || burst.length === 1) return false;
  const path = fixture.files[action.file];
  const isOpen = fixture.tracked.some(
    (diff) => diff.path === path && diff.connected === fixture.connected[2],
  );
  return isOpen || burst.some((other) => other !== action && "cli" in other && other.cli === 2);
}

async function resumeWhoWaitsLong(fixture: Fixture): Promise<void> {
  for (const connected of fixture.connected) {
    if (connected?.droppedAt === undefined) continue;
    if (performance.now() - connected.droppedAt > patience.dropped) await fixture.resume(connected);
  }
}

function commit(fixture: Fixture, seen: Seen, { after, ends }: Judgement): void {
  fixture.owed = owedAfter(fixture, seen, ends);
  // What comes from now on belongs to the next burst.
  for (const [editor, { news }] of fixture.drivers.entries()) news.splice(0, seen.news[editor]?.length);
  for (const diff of after) {
    const { text = diff.text, proposed = diff.proposed } =
      fixture.drivers[diff.editor]?.diffs.get(diff.id) ?? {};
    Object.assign(diff, { text, proposed });
  }
  fixture.tracked = [...after];
  for (const path of fixture.files) {
    const bytes = fixture.read(path);
    if (bytes) fixture.ledger.set(path, bytes);
  }
  for (const connected of seen.sessions) {
    const expected = expectedAfter(connected, seen, ends);
    connected.expected.splice(0, connected.expected.length, ...expected);
    connected.underway = underwayAfter(connected, seen, ends);
    if (!connected.isOver) writeAccepted(fixture, connected);
  }
  // Before the text of another diff replaces it.
  fixture.owed = unpaid(fixture, fixture.owed);
}

function writeAccepted(fixture: Fixture, connected: Connected): void {
  const { outcomes } = connected.session;
  for (const outcome of outcomes.slice(connected.written)) {
    if (outcome.kind === "accepted") fixture.write(outcome.filePath, outcome.content);
  }
  connected.written = outcomes.length;
}

/** All CLIs leave; nothing may remain, and nothing may be on its way. */
async function end(fixture: Fixture, effect: number): Promise<void> {
  const all = [...fixture.clis.keys()].filter((cli) => fixture.connected[cli] !== undefined);
  const each = (action: (cli: number) => Burst[number]) => performBurst(fixture, all.map(action), effect);
  await each((cli) => ({ do: "resume", cli, late: 0 }));
  // What was sent once too often comes before the fence.
  await each((cli) => ({ do: "open", cli, file: fence, text: `fence of ${cli}\n`, late: 0 }));
  await each((cli) => ({ do: "close", cli, file: fence, suppress: false, late: 0 }));
  await hold(() => wrongContexts(fixture), effect);
  await each((cli) => ({ do: "leave", cli, late: 0 }));
  await hold(async () => [...(await wrongHealth(fixture)), ...wrongFiles(fixture)], effect);
  await hold(() => judgeOffered(fixture), effect);
  for (const diff of fixture.tracked) diff.isOfThisSequence = false;
  const isShown = (orphan: Connected) => fixture.tracked.some(({ connected }) => connected === orphan);
  fixture.orphans = fixture.orphans.filter((orphan) => isShown(orphan) || isExpected(orphan));
}

async function hold(
  missing: () => readonly string[] | Promise<readonly string[]>,
  effect: number,
): Promise<void> {
  const left = await untilNothing(missing, effect);
  if (left.length > 0) throw new Error(left.join("\n"));
}

function wrongContexts(fixture: Fixture): string[] {
  return fixture.connected.flatMap((connected) => {
    const focus = connected && fixture.focused[connected.editor];
    if (!focus || !("context" in connected.session)) return [];
    const active = connected.session.context?.workspaceState?.openFiles?.find((file) => file.isActive);
    const { path, cursor, selectedText = "" } = active ?? {};
    // Of a file outside of the open folders only a selection is sent.
    const isOutside = !fixture.roots[connected.editor]?.some((root) => isInside(focus.path, root));
    if (isOutside && focus.selected === "") {
      if (active === undefined) return [];
      return [`${connected.session.label} received ${path}, which lies outside of the open folders`];
    }
    if (path === focus.path && cursor?.line === focus.line && selectedText === focus.selected) return [];
    return [
      `${connected.session.label} received ${JSON.stringify(active)}, the user has focused ${JSON.stringify(focus)}`,
    ];
  });
}

/** A companion knows of no session and no diff that there is not. */
async function wrongHealth(fixture: Fixture): Promise<string[]> {
  const wrong = fixture.drivers.map(async (driver, editor) => {
    const file = readDiscovered(fixture.sandbox.host).find(({ port }) => port === driver.port);
    const headers = { authorization: `Bearer ${file?.token}` };
    const { sessions, diffs } = await readHealth(driver.port, headers);
    const known = fixture.orphans
      .filter((orphan) => orphan.editor === editor)
      .map(({ session }) => session.label);
    const shown = driver.diffs.size;
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

/** The discovery files name the running companions and their current folders. */
function wrongFiles(fixture: Fixture): string[] {
  const all = readDiscovered(fixture.sandbox.host);
  // Claude Code has a port of its family, which only the names of its files hold: these are counted.
  const locks = all.filter(({ agent }) => agent === "claude").length;
  const files = all.filter(({ agent }) => agent !== "claude");
  const strays = files.filter(({ port }) => fixture.drivers.every((driver) => driver.port !== port));
  const wrong = fixture.drivers.flatMap((driver, editor) => {
    const roots = fixture.roots[editor]?.join(fixture.sandbox.host.delimiter);
    const own = files.filter(({ port }) => port === driver.port);
    return [
      ...(own.length < 3 ? [`only ${own.length} discovery files name editor ${editor}`] : []),
      ...own
        .filter(({ workspacePath, serverPid }) => workspacePath !== roots || serverPid !== driver.serverPid)
        .map((file) => `${JSON.stringify(file)} does not name ${roots} and process ${driver.serverPid}`),
    ];
  });
  const { length: editors } = fixture.drivers;
  return [
    ...strays.map(({ path }) => `${path} has outlived its companion`),
    ...(locks === editors ? [] : [`${locks} lock files of Claude Code for ${editors} editors`]),
    ...wrong,
  ];
}
