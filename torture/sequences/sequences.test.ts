import { existsSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { Draft } from "../../packages/companion/src/core/edits/edits-store.ts";
import { eventually } from "../../packages/testkit/src/eventually.ts";
import type { CliSession } from "../harness/cli.ts";
import { createReport } from "../torture.ts";
import type { Sequence } from "./action.ts";
import { performBatch } from "./batch.ts";
import { Fixture } from "./fixture.ts";
import { createFixtures, type Fixtures } from "./fixtures.ts";
import { judgeOffered, unwritten } from "./judge-owed.ts";
import { perform } from "./perform.ts";
import { runSequences } from "./sequences.ts";

const slack = { heap: 8 * 2 ** 20, resident: 100 * 2 ** 20, count: 8 };

test("random sequences of four CLIs and two editors break no promise", async () => {
  const { report, broken, figures } = createReport();
  await runSequences({ minutes: 2, seed: 20_260, report }, { count: 30, kills: 1, width: 2, slack });
  expect(broken).toEqual([]);
  expect(figures.sequences).toBe(30);
});

test("nor do some in which companions, editors and CLIs are killed", async () => {
  const { report, broken, figures } = createReport();
  await runSequences({ minutes: 2, seed: 20_261, report }, { count: 6, kills: 20, width: 1, slack });
  expect(broken).toEqual([]);
  expect(figures.sequences).toBe(6);
});

/** A batch of ten. */
async function performOn(use: Fixtures["use"], isOver = () => false) {
  const suspected: string[] = [];
  const { report, broken } = createReport((line) => suspected.push(line));
  const fixtures: Fixtures = { use: vi.fn(use), close: async () => {} };
  const onFailed = vi.fn();
  const batch = { seed: 7, count: 10, kills: 1, isOver, onPerformed: () => {}, onFailed, report };
  await performBatch(fixtures, batch);
  return { tries: vi.mocked(fixtures.use).mock.calls.length, onFailed, broken, suspected };
}

const fail = () => Promise.reject(new Error("a diff was lost"));

test("a broken promise is reported at once, and then with the shortest sequence", async () => {
  const { broken, suspected, onFailed } = await performOn(fail);
  expect(onFailed).toHaveBeenCalledOnce();
  expect(suspected).toEqual([
    expect.stringMatching(/: a diff was lost\n\(at once with --seed 7\)\nCLIs 0, 1, 2/),
  ]);
  expect(broken).toEqual([expect.stringMatching(/^a diff was lost\n/)]);
  expect(broken[0]?.length).toBeLessThan(suspected[0]?.length ?? 0);
});

test("the search for the shortest sequence ends after a minute", async () => {
  let time = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    time += 40_000;
    return time;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const { tries, broken } = await performOn(fail);
  expect(tries).toBe(2);
  expect(broken).toHaveLength(1);
});

test("a batch ends in its middle when the time is over", async () => {
  let left = 2;
  const { tries, broken } = await performOn(
    async () => {},
    () => left-- === 0,
  );
  expect(tries).toBe(2);
  expect(broken).toEqual([]);
});

test("a fixture that cannot be ended does not hide what broke on it", async () => {
  const fixture = await Fixture.start();
  const close = fixture.close.bind(fixture);
  onTestFinished(close);
  vi.spyOn(fixture, "close").mockRejectedValue(new Error("Connection is closed."));
  vi.spyOn(Fixture, "start").mockResolvedValue(fixture);
  onTestFinished(() => void vi.restoreAllMocks());
  await expect(createFixtures().use(fail)).rejects.toThrow(
    "a diff was lost\nand at the end: Connection is closed.",
  );
});

test("a fixture of which something cannot be ended leaves no folder and no process", async () => {
  const fixture = await Fixture.start();
  const [, driver] = fixture.drivers;
  if (!driver) throw new Error("the fixture has no second editor");
  onTestFinished(() => driver.close());
  vi.spyOn(driver, "close").mockRejectedValueOnce(new Error("Connection is closed."));
  await expect(fixture.close()).rejects.toThrow("Connection is closed.");
  expect(existsSync(fixture.sandbox.folder)).toBe(false);
  await eventually(() => expect(() => process.kill(driver.serverPid, 0)).toThrow("ESRCH"));
});

test("an editor and a companion are killed once what was typed is on disk", async () => {
  const fixture = await startBadFixture(() => {});
  const seen: (readonly string[])[] = [];
  const driver = fixture.driver(1);
  for (const kill of ["killCompanion", "killEditor"] as const) {
    const end = driver[kill]?.bind(driver);
    vi.spyOn(driver, kill).mockImplementation(async () => {
      seen.push(unwritten(fixture, driver.diffs));
      await end?.();
    });
  }
  for (const what of ["a companion that is killed", "an editor that is killed"]) {
    const sequence = losses[what];
    if (sequence) await perform(fixture, sequence, 3000);
  }
  expect(seen).toEqual([[], []]);
});

const accepted: Sequence = {
  editors: [0, 0, 1],
  bursts: [
    [{ do: "open", cli: 0, file: 0, text: "text\n", late: 0 }],
    [{ do: "stall", cli: 0, late: 0 }],
    [{ do: "accept", editor: 0, pick: 0, late: 0 }],
    [{ do: "resume", cli: 0, late: 0 }],
  ],
};

/** A fixture on which one thing goes wrong. */
async function startBadFixture(sabotage: (session: CliSession, fixture: Fixture) => void): Promise<Fixture> {
  const fixture = await Fixture.start();
  onTestFinished(() => fixture.close());
  const [cli] = fixture.clis;
  if (!cli) throw new Error("the fixture has no CLI");
  const connect = cli.connect.bind(cli);
  vi.spyOn(cli, "connect").mockImplementation(async (port) => {
    const session = await connect(port);
    sabotage(session, fixture);
    return session;
  });
  return fixture;
}

test("a CLI is connected once its stream has had an event, so that it can name the last event", async () => {
  const fixture = await startBadFixture(() => {});
  for (const cli of [0, 1]) {
    await fixture.connect(cli, 1);
    expect(fixture.connected[cli]?.session.context).toBeDefined();
  }
});

test("a session whose stream is down for too long on a slow machine is over, and one that is refused before is not", async () => {
  const fixture = await startBadFixture((session) => {
    vi.spyOn(session, "resume").mockRejectedValue(new Error("answered with 404"));
  });
  await fixture.connect(0, 0);
  const [connected] = fixture.connected;
  if (!connected) throw new Error("not connected");
  connected.droppedAt = performance.now() - 1000;
  await expect(fixture.resume(connected)).rejects.toThrow("answered with 404");
  connected.droppedAt = performance.now() - 10_000;
  await fixture.resume(connected);
  expect(connected.isOver).toBe(true);
  expect(fixture.connected[0]).toBeUndefined();
});

test("a CLI that reopens its stream just when its companion ends need not receive anything", async () => {
  const fixture = await startBadFixture((session) => {
    vi.spyOn(session, "resume").mockImplementation(async () => {
      await session.drop?.();
      throw new Error("connect ECONNREFUSED");
    });
  });
  await perform(
    fixture,
    {
      editors: [0, 1, 1],
      bursts: [
        [{ do: "open", cli: 0, file: 0, text: "text\n", late: 0 }],
        [
          { do: "resume", cli: 0, late: 0 },
          { do: "restart", editor: 0, late: 4 },
        ],
      ],
    },
    3000,
  );
});

test("an outcome that is received twice is found", async () => {
  const fixture = await startBadFixture((session) => {
    const resume = session.resume?.bind(session);
    vi.spyOn(session, "resume").mockImplementation(async () => {
      await resume?.();
      const { outcomes } = session;
      Object.defineProperty(session, "outcomes", { get: () => [...outcomes, ...outcomes] });
    });
  });
  await expect(perform(fixture, accepted, 3000)).rejects.toThrow("once more than it was decided");
});

test("an outcome that is never received is found, and a file that another process has written", async () => {
  const fixture = await startBadFixture((session, { files: [file = ""] }) => {
    vi.spyOn(session, "resume").mockImplementation(async () => {
      writeFileSync(file, "not the CLI's");
      Object.defineProperty(session, "isStreaming", { get: () => true });
    });
  });
  const performed = perform(fixture, accepted, 3000);
  await expect(performed).rejects.toThrow("file 0.txt was accepted");
  await expect(performed).rejects.toThrow("file 0.txt was written by another process");
});

/** The user of an editor edits a proposal. */
const edited = (editor: number, ...rest: Sequence["bursts"]): Sequence => ({
  editors: [editor, 1, 1],
  bursts: [
    [{ do: "open", cli: 0, file: 0, text: "text\n", late: 0 }],
    [{ do: "edit", editor, pick: 0, text: "the user's own\n", late: 0 }],
    ...rest,
  ],
});
/** The same by an agent that takes no edits: `edited` with the last CLI. */
const ownVersion = (editor: number, ...rest: Sequence["bursts"]): Sequence => ({
  editors: [editor, 1, 1, editor],
  bursts: [
    [{ do: "open", cli: 3, file: 0, text: "text\n", late: 0 }],
    [{ do: "edit", editor, pick: 0, text: "the user's own\n", late: 0 }],
    ...rest,
  ],
});
const accepts = [
  { do: "drop", cli: 0, late: 0 },
  { do: "accept", editor: 0, pick: 0, late: 0 },
] as const;
const losses: Readonly<Record<string, Sequence>> = {
  "Esc in the terminal": edited(0, [{ do: "close", cli: 0, file: 0, suppress: true, late: 0 }]),
  "a CLI that leaves with its diff open": edited(0, [{ do: "leave", cli: 0, late: 0 }]),
  "a CLI that leaves without what was accepted": edited(
    0,
    [accepts[0]],
    [accepts[1]],
    [{ do: "leave", cli: 0, late: 0 }],
  ),
  "a CLI that proposes over what was accepted": edited(
    0,
    [accepts[0]],
    [accepts[1]],
    [{ do: "open", cli: 0, file: 0, text: "newer\n", late: 0 }],
  ),
  "a companion that is stopped": edited(1, [{ do: "restart", editor: 1, late: 0 }]),
  "a companion that is killed": edited(1, [{ do: "kill companion", editor: 1, late: 0 }]),
  "an editor that is killed": edited(1, [{ do: "kill editor", editor: 1, late: 0 }]),
  "a change that its agent accepts itself, over a changed file": edited(
    0,
    [{ do: "open", cli: 1, file: 0, text: "another CLI's\n", late: 0 }],
    [{ do: "accept", editor: 1, pick: 0, late: 0 }],
    [{ do: "acceptDiff", cli: 0, file: 0, late: 0 }],
  ),
  "the acceptance of an own version, after which its agent writes its own text": ownVersion(0, [
    { do: "accept", editor: 0, pick: 0, late: 0 },
  ]),
  "the rejection of an own version": ownVersion(0, [{ do: "reject", editor: 0, pick: 0, late: 0 }]),
  "a CLI that is killed under an own version": ownVersion(0, [{ do: "kill cli", cli: 3, late: 0 }]),
  "a companion that is killed under an own version": ownVersion(1, [
    { do: "kill companion", editor: 1, late: 0 },
  ]),
};

test.each(Object.keys(losses))("what was typed survives %s", async (name) => {
  const fixture = await startBadFixture(() => {});
  const sequence = losses[name];
  if (sequence) await perform(fixture, sequence, 3000);
  await eventually(() => expect(judgeOffered(fixture)).toEqual([]));
});

/** Performs one of them on a new fixture in which something is broken; that must be found. */
async function performBroken(name: string): Promise<void> {
  const fixture = await startBadFixture(() => {});
  const sequence = losses[name];
  if (sequence) await perform(fixture, sequence, 1500);
}

test("what was typed and is lost is found: with nothing recovered, or nothing on disk before the agent receives it", async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const isLost = /file 0\.txt by .+: what was typed is (lost|nowhere on disk): "the user's own\\n"/;
  const drop = function (this: Draft) {
    this.drop();
    return undefined;
  };
  const recover = vi.spyOn(Draft.prototype, "recover").mockImplementation(drop);
  await expect(performBroken("a CLI that leaves with its diff open")).rejects.toThrow(isLost);
  await expect(performBroken("the rejection of an own version")).rejects.toThrow(isLost);
  recover.mockRestore();
  vi.spyOn(Draft.prototype, "hold").mockImplementation(drop);
  await expect(performBroken("Esc in the terminal")).rejects.toThrow(isLost);
  await expect(performBroken("a CLI that leaves without what was accepted")).rejects.toThrow(isLost);
});
