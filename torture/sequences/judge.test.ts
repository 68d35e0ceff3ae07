import { expect, onTestFinished, test, vi } from "vitest";
import type { EditorNews } from "../harness/driver.ts";
import { Fixture } from "./fixture.ts";
import { judge, underwayAfter } from "./judge.ts";
import type { Connected, Done, Proposed, Seen } from "./record.ts";

/** A Copilot CLI that was killed a moment ago. */
async function startKilled(): Promise<{ fixture: Fixture; connected: Connected }> {
  const fixture = await Fixture.start();
  onTestFinished(() => fixture.close());
  await fixture.connect(3, 0);
  const connected = fixture.connected[3];
  if (!connected) throw new Error("not connected");
  await connected.session.kill();
  fixture.connected[3] = undefined;
  connected.isOver = true;
  connected.abandonedAt = performance.now();
  return { fixture, connected };
}

const burst = (connected: Connected, dones: readonly Done[], ...news: readonly EditorNews[]): Seen => ({
  dones,
  sessions: [connected],
  before: [],
  news: [news, []],
});

function openOf(connected: Connected, text: string): Done {
  return { action: { do: "open", cli: 3, file: 0, text }, connected, path: "/a", reply: { ok: true } };
}

/** The editor shows a proposal, and takes it away as its session is over. */
function shownOf(connected: Connected, id: string, proposed: string): readonly EditorNews[] {
  const agent = connected.session.label;
  const diff = { id, agent, filePath: "/a", proposed, isReadOnly: true, base: "", text: proposed };
  return [
    { kind: "shown", diff },
    { kind: "closed", diff, reason: "agent" },
  ];
}

test("a proposal that was on its way when its CLI was killed may be shown later, once, and no other", async () => {
  const { fixture, connected } = await startKilled();
  const late = (underway: readonly Proposed[], ...news: readonly EditorNews[]) => {
    connected.underway = underway;
    return judge(fixture, burst(connected, [], ...news)).complaints;
  };
  const made = [{ path: "/a", text: "new" }];
  expect(late(made)).toEqual([]);
  expect(late(made, ...shownOf(connected, "1", "new"))).toEqual([]);
  const notMade = [expect.stringContaining("that no CLI has made")];
  expect(late([], ...shownOf(connected, "1", "new"))).toEqual(notMade);
  expect(late(made, ...shownOf(connected, "1", "new"), ...shownOf(connected, "2", "new"))).toEqual(notMade);
  expect(late(made, ...shownOf(connected, "1", "other"))).toEqual([
    expect.stringContaining('shows "other", proposed was "new"'),
  ]);
});

test("a proposal is shown together with what an acceptance wrote in its file a moment before, and with nothing else", async () => {
  const { fixture, connected } = await startKilled();
  connected.underway = [{ path: "/a", text: "new\n" }];
  const acceptDiff: Done = { action: { do: "acceptDiff", cli: 3, file: 0 }, connected, path: "/a" };
  const shown = (text: string, ...dones: readonly Done[]) =>
    judge(fixture, burst(connected, dones, ...shownOf(connected, "1", text))).complaints;
  expect(shown("written\nnew\n", acceptDiff)).toEqual([]);
  const unlike = [expect.stringContaining('proposed was "new\\n"')];
  expect(shown("written\n", acceptDiff)).toEqual(unlike);
  expect(shown("written\nnew\n")).toEqual(unlike);
});

test("a proposal that is shown late belongs to whichever killed CLI of that name has made it", async () => {
  const { fixture, connected } = await startKilled();
  const older: Connected = { ...connected, underway: [] };
  connected.underway = [{ path: "/a", text: "new" }];
  const seen = burst(connected, [], ...shownOf(connected, "1", "new"));
  const { complaints, ends } = judge(fixture, { ...seen, sessions: [older, connected] });
  expect(complaints).toEqual([]);
  expect(ends.map(({ diff }) => diff.connected)).toEqual([connected]);
});

test("a proposal is on its way until it is shown, and never of a CLI that is there", async () => {
  const { fixture, connected } = await startKilled();
  const opens = [openOf(connected, "new"), openOf(connected, "newer")];
  const seen = burst(connected, opens, ...shownOf(connected, "1", "new"));
  const { ends } = judge(fixture, seen);
  expect(underwayAfter(connected, seen, ends)).toEqual([{ path: "/a", text: "newer" }]);
  connected.isOver = false;
  expect(underwayAfter(connected, seen, ends)).toEqual([]);
});

test("a decision may be refused while its agent decides, and for nothing else", async () => {
  const { fixture, connected } = await startKilled();
  const diff = {
    id: "1",
    agent: "",
    filePath: "/a",
    proposed: "new",
    isReadOnly: true,
    base: "",
    text: "new",
  };
  const [driver] = fixture.drivers;
  if (!driver) throw new Error("the fixture has no editor");
  vi.spyOn(driver, "diffs", "get").mockReturnValue(new Map([["1", diff]]));
  const shown = {
    editor: 0,
    id: "1",
    path: "/a",
    proposed: "new",
    text: "new",
    connected,
    isOfThisSequence: true,
  };
  const refused = (code: string, ...others: readonly Done[]) => {
    const result = { taken: false, code };
    const decided: Done = { action: { do: "reject", editor: 0, pick: 0 }, diff: shown, path: "/a", result };
    return judge(fixture, { ...burst(connected, [decided, ...others]), before: [shown] }).complaints;
  };
  const byAgent = "agent-decides";
  const call: Done = {
    action: { do: "acceptDiff", cli: 3, file: 0 },
    connected,
    path: "/a",
    reply: { ok: false, reason: "its diff stays open: it has changed since the review began" },
  };
  expect(refused(byAgent, call)).toEqual([]);
  for (const others of [refused(byAgent), refused("decided", call)]) {
    expect(others).toEqual([expect.stringContaining("the decision was refused")]);
  }
});

test("a CLI that takes no empty text is refused the acceptance of one, and of no other", async () => {
  const fixture = await Fixture.start();
  onTestFinished(() => fixture.close());
  await fixture.connect(0, 0);
  const connected = fixture.connected[0];
  if (!connected) throw new Error("not connected");
  const refused: Done = {
    ...{ action: { do: "acceptDiff", cli: 0, file: 0 }, connected, path: "/a" },
    reply: { ok: false, reason: "it takes no empty text" },
  };
  const complaintsAbout = (text: string) => {
    const before = [
      { editor: 0, id: "1", path: "/a", proposed: "new", connected, isOfThisSequence: true, text },
    ];
    return judge(fixture, { ...burst(connected, [refused]), before }).complaints;
  };
  const isRefusal = expect.stringContaining("acceptDiff of /a was refused although its diff was open");
  expect(complaintsAbout("typed")).toContainEqual(isRefusal);
  expect(complaintsAbout("")).not.toContainEqual(isRefusal);
});
