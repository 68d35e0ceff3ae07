import { writeFileSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import type { CliSession } from "../harness/cli.ts";
import { createHeard } from "../harness/heard.ts";
import type { Sequence } from "./action.ts";
import { perform } from "./perform.ts";
import { runSequences, sequences } from "./sequences.ts";
import { Stage } from "./stage.ts";

test("random sequences of three CLIs and two editors break no promise", async () => {
  const { report, broken, figures } = createHeard();
  await sequences.run({ minutes: 0.1, seed: 20_260, report });
  expect(broken).toEqual([]);
  expect(figures.sequences).toBeGreaterThanOrEqual(50);
});

test("nor do some in which companions, editors and CLIs are killed", async () => {
  const { report, broken, figures } = createHeard();
  await runSequences({ minutes: 2, seed: 20_261, report }, { count: 6, kills: 20 });
  expect(broken).toEqual([]);
  expect(figures.sequences).toBe(6);
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

/** A stage on which one thing goes wrong. */
async function startBadStage(sabotage: (session: CliSession, stage: Stage) => void): Promise<Stage> {
  const stage = await Stage.start();
  onTestFinished(() => stage.close());
  const [cli] = stage.clis;
  if (!cli) throw new Error("the stage has no CLI");
  const connect = cli.connect.bind(cli);
  vi.spyOn(cli, "connect").mockImplementation(async (port) => {
    const session = await connect(port);
    sabotage(session, stage);
    return session;
  });
  return stage;
}

test("an outcome that is heard twice is found", async () => {
  const stage = await startBadStage((session) => {
    const resume = session.resume?.bind(session);
    vi.spyOn(session, "resume").mockImplementation(async () => {
      await resume?.();
      const { outcomes } = session;
      Object.defineProperty(session, "outcomes", { get: () => [...outcomes, ...outcomes] });
    });
  });
  await expect(perform(stage, accepted)).rejects.toThrow("once more than was decided");
});

test("an outcome that is never heard is found, and a file that somebody else has written", async () => {
  const stage = await startBadStage((session, { files: [file = ""] }) => {
    vi.spyOn(session, "resume").mockImplementation(async () => {
      writeFileSync(file, "not the CLI's");
      Object.defineProperty(session, "isStreaming", { get: () => true });
    });
  });
  const performed = perform(stage, accepted);
  await expect(performed).rejects.toThrow("file 0.txt was accepted");
  await expect(performed).rejects.toThrow("file 0.txt was written by somebody else");
});
