import { rm } from "node:fs/promises";
import { expect } from "vitest";
import type { Resident, Sandbox } from "../packages/testkit/src/sandbox.ts";
import { poll } from "../packages/testkit/src/waiting.ts";
import {
  type AgentCli,
  type AgentKind,
  oneProcess,
  startAgent,
  startConnected,
  writeSettings,
} from "./harness/agent-cli.ts";
import { type BrokenFiles, files, geminiFiles, qwenFiles, type SetUp } from "./harness/broken-files.ts";
import {
  type BrokenStart,
  type BrokenStarts,
  geminiStarts,
  qwenStarts,
  type Start,
  type Symptom,
} from "./harness/broken-starts.ts";
import { startCompanion } from "./harness/companion.ts";
import { discoveryFiles } from "./harness/discovery-files.ts";
import { askDoctor } from "./harness/doctor.ts";
import { type DoctorFixture, knownTerminal } from "./harness/doctor-fixture.ts";
import { gemini } from "./harness/gemini.ts";
import { startModel } from "./harness/model.ts";
import { pathTo } from "./harness/path-to.ts";
import { qwen } from "./harness/qwen.ts";
import { openReviewPage } from "./harness/review-page.ts";
import { scenario } from "./harness/scenario.ts";

for (const [kind, own] of [
  [gemini, geminiFiles],
  [qwen, qwenFiles],
] as const) {
  scenario(
    `${kind.displayName} and the doctor agree on broken discovery files, and on every remedy`,
    async (sandbox) => {
      const terminal = knownTerminal[kind.name] ?? {};
      const env = { ...(await environmentOf(sandbox, kind)), ...terminal };
      const words = Object.entries(terminal).map(([name, value]) => `${name}=${value}`);
      const command = ["env", ...words, ...kind.command];
      const cli = await startAgent(sandbox, kind, { command, env: oneProcess });
      await cli.disconnected();
      for (const [name, setUp] of Object.entries({ ...files, ...own })) {
        await agreeing(name, () => agree({ sandbox, kind, env }, cli, setUp));
      }
    },
    { within: 600_000, concurrent: true, matrix: kind === qwen },
  );
}

/** The variables of a terminal in which the CLI is found, with a private model. */
async function environmentOf(sandbox: Sandbox, kind: AgentKind) {
  return { ...kind.env(await startModel(sandbox)), ...(await pathTo(sandbox, kind)) };
}

/** Breaks, asks both, repairs, asks both; and leaves nothing of it behind. */
async function agree({ sandbox, kind, env }: DoctorFixture, cli: AgentCli, setUp: SetUp): Promise<void> {
  const residents: Resident[] = [];
  const own = <T extends Resident>(resident: T): T => {
    residents.push(resident);
    return sandbox.own(resident);
  };
  const fixture = { sandbox: { ...sandbox, own }, kind, env };
  const broken = await setUp(fixture);
  await disagree(fixture, cli, broken);
  await broken.repair();
  await agreeThatAllIsWell(fixture, cli);
  await switchIdeMode(cli, "disable", "Disconnected");
  for (const resident of residents.reverse()) await resident.close();
  for (const file of await discoveryFiles(sandbox)) await rm(file);
  // It has written down that IDE mode is off.
  await writeSettings(sandbox, kind, []);
}

/**
 * One where the CLI connects without a new start, and one where `run` starts it. What the doctor says in the others,
 * its unit tests say as well.
 */
const inCommit = ["IDE mode was never switched on", "a container hides its companion from it"];

for (const [kind, setUps] of [
  [gemini, geminiStarts],
  [qwen, qwenStarts],
] as const) {
  for (const [name, setUp] of Object.entries(setUps)) {
    scenario(
      `${kind.displayName} and the doctor agree when ${name}, and on the remedy`,
      (sandbox) => startBroken(sandbox, kind, setUp),
      { concurrent: true, matrix: kind === qwen || !inCommit.includes(name) },
    );
  }
}

for (const kind of [gemini, qwen]) {
  scenario(
    `the doctor names ${kind.displayName} that was started before its companion, and it connects after the remedy`,
    async (sandbox) => {
      const env = await environmentOf(sandbox, kind);
      const { PATH } = env;
      const { kill, terminal, say, ideStatus } = await startAgent(sandbox, kind, {
        command: [kind.name],
        env: { PATH },
      });
      await ideStatus("IDE integration is not supported");
      await startCompanion(sandbox);
      await say("/ide enable");
      await ideStatus("IDE integration is not supported");
      const ask = async () => (await askDoctor(sandbox, kind.name, env)).faults;
      const [fault = "", ...others] = await ask();
      expect(others).toEqual([]);
      const remedy = `running: Restart ${kind.displayName} (process ${terminal.pid}): type /quit in it, then start `;
      expect(fault.startsWith(remedy)).toBe(true);
      await say("/quit");
      await terminal.exited();
      await kill();
      await startConnected(sandbox, kind, {
        command: fault.slice(remedy.length).split(" "),
        env: { PATH },
      });
      expect(await ask()).toEqual([]);
    },
    { concurrent: true, matrix: kind === qwen },
  );
}

scenario(
  "Gemini CLI, whose companion was killed over its diff, is freed by what the next companion says, and shows its next change",
  async (sandbox) => {
    const killed = await startCompanion(sandbox);
    const cli = await startConnected(sandbox, gemini);
    await cli.proposeWrite(sandbox.path("note.txt"), "new\n");
    await killed.says("note.txt");
    // With the answer to this, that to the proposal is under way: without it the CLI hides its input line.
    await fetch(`http://127.0.0.1:${killed.port}/`);
    await killed.kill();
    const next = await startCompanion(sandbox);
    await next.says("If Gemini CLI hangs, press Ctrl-C once, then type /ide enable");
    await cli.terminal.press("C-c");
    await cli.terminal.waitForNo("Apply this change?");
    // Within seconds of the loss, the CLI's own attempt to get its old companion back would undo it.
    await cli.reconnected();
    await next.says("connected");
    // The CLI opens one diff at a time: the one that was left is over for it as well.
    const page = await openReviewPage(sandbox, next.link);
    await cli.proposeWrite(sandbox.path("next.txt"), "next\n");
    await (await page.proposal("next.txt")).accept();
    await cli.finished();
    expect(String(await sandbox.read("next.txt"))).toBe("next\n");
  },
  { concurrent: true },
);

/** Breaks, and asks the doctor. */
async function diagnose(sandbox: Sandbox, kind: AgentKind, setUp: BrokenStarts[string]) {
  const env = await environmentOf(sandbox, kind);
  await writeSettings(sandbox, kind, []);
  const broken = await setUp({ sandbox, kind, env });
  await writeSettings(sandbox, kind, [], broken.settings, broken.distrusts);
  const before = await askDoctor(sandbox, kind.name, { ...env, ...broken.env });
  expect(before.faults).toEqual([expect.stringMatching(broken.fault)]);
  return { broken, env };
}

/** Asks the doctor, starts the CLI, repairs, asks both again. */
async function startBroken(sandbox: Sandbox, kind: AgentKind, setUp: BrokenStarts[string]): Promise<void> {
  const { broken, env } = await diagnose(sandbox, kind, setUp);
  const start = ({ command = [], instead = kind.command, settings, distrusts = false, env: more }: Start) =>
    startAgent(sandbox, kind, {
      command: [...command, ...instead],
      env: { PATH: env.PATH, ...oneProcess, ...more },
      distrusts,
      ...(settings !== undefined && { settings }),
    });
  const cli = await start(broken);
  await symptoms[broken.symptom](cli, broken, sandbox);

  await broken.repair?.();
  const next = broken.next === "enable" ? undefined : (broken.next ?? {});
  const repaired = next ? await cli.kill().then(() => start(next)) : cli;
  if (next) await repaired.connected();
  else await switchIdeMode(cli, "enable", "Connected to");
  // What `run` has set holds for the CLI alone, and the terminal is as it was.
  if (!next?.instead) {
    const after = await askDoctor(sandbox, kind.name, { ...env, ...(next ?? broken).env });
    expect(after.faults).toEqual([]);
  }
  if (!broken.diffs) return;
  const count = broken.diffs;
  await repaired.proposeWrite(sandbox.path("repaired.txt"), "repaired\n");
  await poll("diff in the IDE", () => count() > 0);
}

/** Waits until a user sees it. */
type See = (cli: AgentCli, broken: BrokenStart, sandbox: Sandbox) => Promise<unknown>;

const symptoms: Readonly<Record<Symptom, See>> = {
  "does not connect": (cli) => cli.disconnected(),
  "does not start": (cli) => cli.terminal.exited(),
  "takes no input": (cli) => cli.terminal.waitFor("Workspace trust has changed"),
  "knows no IDE": (cli) => cli.ideStatus("IDE integration is not supported"),
  "writes unasked": async (cli, { diffs }, sandbox) => {
    await cli.connected();
    const args = { file_path: sandbox.path("unasked.txt"), content: "unasked" };
    cli.model.plan({ call: "write_file", args }, { text: "The end." });
    await cli.say("Write it");
    await cli.terminal.waitFor("The end.");
    expect(String(await sandbox.read("unasked.txt"))).toBe("unasked");
    expect(diffs?.()).toBe(0);
  },
  "asks in its terminal": async (cli, { diffs }, sandbox) => {
    await cli.connected();
    await cli.proposeWrite(sandbox.path("asked.txt"), "asked");
    expect(diffs?.()).toBe(0);
  },
};

/** The CLI does not connect, and the doctor tells why. */
async function disagree(
  { sandbox, kind, env }: DoctorFixture,
  cli: AgentCli,
  { fault }: BrokenFiles,
): Promise<void> {
  // First: some CLIs delete what the doctor would tell of.
  const { faults } = await askDoctor(sandbox, kind.name, env);
  expect(faults).toEqual([expect.stringMatching(fault)]);
  await switchIdeMode(cli, "enable", "Disconnected");
}

async function agreeThatAllIsWell({ sandbox, kind, env }: DoctorFixture, cli: AgentCli): Promise<void> {
  await switchIdeMode(cli, "enable", "Connected to");
  expect((await askDoctor(sandbox, kind.name, env)).faults).toEqual([]);
}

/** The CLI connects again, or ends; it says how that went, and must have said it before anything else is typed. */
async function switchIdeMode(cli: AgentCli, to: "enable" | "disable", wanted: string): Promise<void> {
  await cli.say(`/ide ${to}`);
  const look = async () => {
    const screen = await cli.terminal.screen();
    const last = [...screen.matchAll(/> \/ide (?:enable|disable)/g)].at(-1);
    const answer = /Connected to|Disconnected/.exec(screen.slice(last?.index))?.[0];
    return last?.[0] === `> /ide ${to}` && answer === wanted;
  };
  await poll(`${wanted} as answer to /ide ${to}`, look, { describe: cli.terminal.screen });
}

/** Many set-ups go through one scenario: the failed one must be seen. */
async function agreeing(name: string, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    throw new Error(`when ${name}`, { cause: error });
  }
}
