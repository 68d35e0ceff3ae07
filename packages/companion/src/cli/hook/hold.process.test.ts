import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { agentHooks } from "../../agents/agent-hooks.ts";
import { type AgentHooks, toHookEntries } from "../../agents/hooks.ts";
import { readDay } from "../../core/written/entries.ts";
import { type ReviewMode, ReviewModes } from "../../core/written/review-mode.ts";
import { WrittenLog } from "../../core/written/written-log.ts";
import { writtenFolder } from "../../system/host.ts";
import { startCore } from "../../testing/core.ts";
import { aComment } from "../../testing/memory-editor.ts";
import {
  createSandbox,
  executablePath,
  type Run,
  type Sandbox,
  start,
  startProgram,
  useExecutable,
} from "../process-fixture.ts";

useExecutable();

/**
 * A folder whose user is asked before agents write, and a companion whose user is the test.
 * @param mode with another one its user is asked about a.txt alone
 */
async function createFixture(mode: ReviewMode = "before") {
  const sandbox = createSandbox();
  const { tmp, home, app } = sandbox;
  const host = { tmp, home, env: {}, delimiter: path.delimiter };
  const modes = new ReviewModes(host);
  modes.set(app, mode);
  if (mode !== "before") modes.setAlways(app, () => ["/a.txt"]);
  const core = await startCore({ host, roots: [app] });
  const file = path.join(app, "a.txt");
  writeFileSync(file, "alpha\r\nbeta\r\n");
  const edit = { path: file, old_str: "beta", new_str: "BETA" };
  return { sandbox, ...core, host, file, edit, read: () => readFileSync(file, "utf8") };
}

interface Called {
  readonly cli: Run;
  /** What the CLI was answered. */
  answer(): Promise<readonly object[]>;
}

/** Calls a hook as a CLI at a terminal does. @param words the CLI's command line */
function call(sandbox: Sandbox, hook: string, payload: object, words = "copilot"): Called {
  const { folder, app } = sandbox;
  const [input, output, script] = ["call.json", "answer", "cli.sh"].map((name) => path.join(folder, name));
  const [program = "", ...args] = words.split(" ");
  const common = { sessionId: "s", session_id: "s", timestamp: 1795819610198, cwd: app };
  writeFileSync(input ?? "", JSON.stringify({ ...common, ...payload }));
  const line = `'${process.execPath}' '${executablePath()}' hook ${hook} <'${input}' >'${output}.part'`;
  writeFileSync(script ?? "", `rm -f '${output}'; ${line}; mv '${output}.part' '${output}'\n`);
  const shell = `exec -a ${program} bash '${script}' ${args.join(" ")}`;
  const cli = startProgram(sandbox, "/usr/bin/script", ["-qec", `bash -c "${shell}"`, "/dev/null"], {
    ownGroup: true,
  });
  return {
    cli,
    async answer() {
      await cli.end;
      const lines = readFileSync(output ?? "", "utf8").split("\n");
      return lines.filter((each) => each !== "").map((each) => JSON.parse(each));
    },
  };
}

const hasScript = process.platform === "linux" && existsSync("/usr/bin/script");
const progress = { type: "progress", message: "Review a.txt in your editor", temporary: true };
const before = "copilot preToolUse";

describe.skipIf(!hasScript)("a call waits until its user has decided:", () => {
  const typed = "what the user has typed is what it writes, and its CLI need not ask again, once; with %s";
  test.each(["before", "off"] as const)(typed, async (mode) => {
    const { sandbox, editor, file, edit, read } = await createFixture(mode);
    const held = call(sandbox, before, { toolName: "edit", toolArgs: edit });
    const { proposal } = await eventually(() => editor.find(file));
    expect(proposal).toMatchObject({ agent: "Copilot CLI", newContent: "alpha\nBETA\n" });
    editor.edit(file, "alpha\nzwei");
    editor.accept(file);
    const modifiedArgs = { path: file, old_str: "alpha\nbeta\n", new_str: "alpha\nzwei" };
    expect(await held.answer()).toEqual([progress, { permissionDecision: "allow", modifiedArgs }]);
    expect(read()).toBe("alpha\r\nbeta\r\n");
    const question = {
      ...{ hookName: "permissionRequest", toolName: "edit", permissionSuggestions: [] },
      toolInput: { file_path: file, diff: "\ndiff --git a/a.txt b/a.txt" },
    };
    const ask = () => call(sandbox, "copilot permissionRequest", question).answer();
    expect(await ask()).toEqual([{ behavior: "allow" }]);
    expect(await ask()).toEqual([]);
    const [heard] = await call(sandbox, "copilot postToolUse", { toolName: "edit", toolArgs: edit }).answer();
    expect(heard).toMatchObject({ additionalContext: expect.stringContaining("changed your text") });
  });

  test("what the user rejects it does not write, and the agent reads why", async () => {
    const { sandbox, editor, file, edit } = await createFixture();
    const held = call(sandbox, before, { toolName: "edit", toolArgs: edit });
    const { change } = await eventually(() => editor.find(file));
    change.decide({ kind: "rejected", comments: [aComment] });
    const [, answer] = await held.answer();
    expect(answer).toMatchObject({ permissionDecision: "deny" });
    expect(JSON.stringify(answer)).toMatch(/Rejected, and not written: .*a\.txt\..*Why this\?/);
  });

  test("what the user saves in the file meanwhile, or in the place of a rejected change, is no agent's", async () => {
    const { sandbox, editor, file, edit, read } = await createFixture();
    const held = call(sandbox, before, { toolName: "edit", toolArgs: edit });
    const { change } = await eventually(() => editor.find(file));
    writeFileSync(file, "mine\r\nalpha\r\nbeta\r\n");
    change.decide({ kind: "rejected" });
    await held.answer();
    writeFileSync(file, "mine\r\nalpha\r\nmine as well\r\n");
    await call(sandbox, "copilot agentStop", {}).answer();
    const changes = start(sandbox, ["changes", "--json"]);
    await changes.end;
    expect(JSON.parse(changes.text)).toEqual({ turns: [] });
    expect(read()).toContain("mine");
  });

  test("it goes on when the companion ends meanwhile; when the CLI does, the change is closed, and nothing recorded", async () => {
    const { sandbox, editor, file, edit, companion, host } = await createFixture();
    const recorded = () => new WrittenLog(writtenFolder(host)).days.flatMap(readDay).map(({ kind }) => kind);
    const first = call(sandbox, before, { toolName: "edit", toolArgs: edit });
    await eventually(() => editor.find(file));
    first.cli.child.kill("SIGKILL");
    await eventually(() => expect(editor.diffs.size).toBe(0));
    const second = call(sandbox, before, { toolName: "edit", toolArgs: edit });
    await eventually(() => editor.find(file));
    expect(recorded()).toEqual([]);
    await companion.close();
    expect(await second.answer()).toEqual([progress]);
    expect(recorded()).toEqual(["before"]);
  });

  test.each([
    ["a user who is not there", "copilot -p x", { toolName: "edit" }],
    ["a call that will fail", "copilot", { toolName: "edit", old: "gamma" }],
    ["a tool that only reads", "copilot", { toolName: "view" }],
    ["a program of another name", "other", { toolName: "edit" }],
  ])("not for %s", async (_, words, { toolName, old = "beta" }: { toolName: string; old?: string }) => {
    const { sandbox, edit } = await createFixture();
    const toolArgs = { ...edit, old_str: old };
    expect(await call(sandbox, before, { toolName, toolArgs }, words).answer()).toEqual([]);
  });
});

test("its CLI gives it the time", () => {
  const entries = toHookEntries("copilot", agentHooks.copilot as AgentHooks, "linux");
  const times = Object.fromEntries(entries.map(({ event, entry }) => [event, entry.timeoutSec]));
  expect(times).toMatchObject({ preToolUse: 610, postToolUse: 10, permissionRequest: 10 });
});
