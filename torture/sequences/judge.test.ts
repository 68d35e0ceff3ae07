import { expect, onTestFinished, test } from "vitest";
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
  const diff = { id, agent, filePath: "/a", proposed, isReadOnly: true, text: proposed };
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

test("a proposal is on its way until it is shown, and never of a CLI that is there", async () => {
  const { fixture, connected } = await startKilled();
  const opens = [openOf(connected, "new"), openOf(connected, "newer")];
  const seen = burst(connected, opens, ...shownOf(connected, "1", "new"));
  const { ends } = judge(fixture, seen);
  expect(underwayAfter(connected, seen, ends)).toEqual([{ path: "/a", text: "newer" }]);
  connected.isOver = false;
  expect(underwayAfter(connected, seen, ends)).toEqual([]);
});
