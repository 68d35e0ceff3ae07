import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import {
  createSandbox,
  discoveryFiles,
  executablePath,
  type Sandbox,
  serve,
  start,
  startProgram,
  useExecutable,
} from "../process-fixture.ts";

useExecutable();

/** One call of a hook, and what it is called with. */
interface HookCall {
  readonly agent: string;
  readonly call: object;
  readonly env?: Readonly<Record<string, string>>;
}

const edit = (tool_name: string, file_path = "a.txt") => ({ tool_name, tool_input: { file_path } });
const gemini = (event: string, more: object = {}): HookCall => ({
  agent: "gemini",
  call: { session_id: "s", hook_event_name: event, ...more },
});
const claude = (event: string, more: object, attended = "1"): HookCall => ({
  ...{ agent: "claude", call: { session_id: "s", prompt_id: "p", hook_event_name: event, ...more } },
  env: { CLAUDE_CODE_SESSION_ATTENDED: attended },
});

/** Calls our hook as a CLI that has no terminal. @returns what it has said */
function hook({ app, env }: Sandbox, { agent, call, env: more }: HookCall): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [executablePath(), "hook", agent], {
    cwd: app,
    env: { ...env, ...more },
    input: JSON.stringify({ cwd: app, ...call }),
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

async function command(sandbox: Sandbox, ...words: readonly string[]): Promise<string> {
  const run = start(sandbox, words);
  expect(await run.end, run.text).toBe(0);
  return run.text;
}

const changed = async (sandbox: Sandbox) => JSON.parse(await command(sandbox, "changes", "--json")).turns;

/** An agent writes a file without asking. */
function write(sandbox: Sandbox, name: string, text: string, session = "s"): void {
  const call = (event: string) =>
    hook(sandbox, gemini(event, { ...edit("write_file", name), session_id: session }));
  expect(call("BeforeTool")).toBe("");
  writeFileSync(path.join(sandbox.app, name), text);
  expect(call("AfterTool")).toBe("");
}

describe("ide-companion review", () => {
  test("says what counts here, by the nearest folder and the agent, in private files", async () => {
    const sandbox = createSandbox();
    expect(await command(sandbox, "review", "--agent", "gemini")).toMatch(/^Gemini CLI +after .*unless said/);
    await command(sandbox, "review", "before");
    await command(sandbox, "review", "off", "--agent", "codex");
    const said = async (...words: readonly string[]) => {
      const { agents } = JSON.parse(await command(sandbox, "review", ...words, "--json"));
      return agents.map(({ agent, mode }: Record<string, string>) => `${agent} ${mode}`);
    };
    const two = ["--agent", "gemini", "--agent", "codex"];
    expect(await said(...two)).toEqual(["gemini before", "codex off"]);
    const text = await command(sandbox, "review");
    expect(text).toMatch(/Gemini CLI +before .*asks you.*app/);
    expect(text).toMatch(/Qwen Code +before .*asks you.*app/);
    expect(await said("after", "--agent", "gemini")).toEqual(["gemini after"]);
    // For all: what was said for one agent is over.
    await command(sandbox, "review", "before");
    expect(await said(...two)).toEqual(["gemini before", "codex before"]);
    const folder = path.join(sandbox.home, ".local/state/ide-companion/review");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const wrong = start(sandbox, ["review", "befor"]);
    expect([await wrong.end, wrong.text]).toEqual([2, expect.stringContaining("Did you mean before?")]);
  });

  test("--always adds to the files of a folder, --not-always removes, and no mode forgets them", async () => {
    const sandbox = createSandbox();
    const listed = async (...words: readonly string[]) =>
      JSON.parse(await command(sandbox, "review", ...words, "--json")).always;
    expect(await listed()).toEqual([]);
    await command(sandbox, "review", "--always", ".env", "--always", "migrations/");
    await command(sandbox, "review", "off");
    expect(await command(sandbox, "review", "after")).toMatch(
      /^Always asked about: \.env, migrations\/ \(said for .*app\)$/m,
    );
    expect(await listed("--always", ".env", "--not-always", "migrations/")).toMatchObject([
      { patterns: [".env"] },
    ]);
    const refusal = async (...words: readonly string[]) => {
      const run = start(sandbox, ["review", ...words]);
      return [await run.end, run.text];
    };
    const unknown = expect.stringContaining(".emv was not said for this folder. Did you mean .env?");
    expect(await refusal("--not-always", ".emv")).toEqual([2, unknown]);
    const forOne = expect.stringContaining("--always counts for all agents");
    expect(await refusal("--always", "b", "--agent", "gemini")).toEqual([2, forOne]);
    expect(await listed("--not-always", ".env")).toEqual([]);
  });

  test("off records nothing in this folder and those below it, and everything elsewhere", async () => {
    const sandbox = createSandbox();
    await command(sandbox, "review", "off");
    write(sandbox, "a.txt", "one\n");
    expect(await changed(sandbox)).toEqual([]);
    await command(sandbox, "review", "after", "--agent", "gemini");
    write(sandbox, "b.txt", "two\n");
    expect(await changed(sandbox)).toMatchObject([{ changes: [{ added: 1 }] }]);
  });
});

/** Connects as Gemini CLI does, waits for its user, and calls hooks. */
const cli = `
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
const { discovery, folder, calls, executable, companion } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { port, authToken } = JSON.parse(readFileSync(discovery, "utf8"));
const send = (method, session, body) => fetch("http://127.0.0.1:" + port + "/mcp", {
  method, body: body && JSON.stringify({ jsonrpc: "2.0", ...body }),
  headers: { authorization: "Bearer " + authToken, "content-type": "application/json",
    accept: "application/json, text/event-stream", ...session } });
const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "cli", version: "1" } };
const opened = await send("POST", {}, { id: 1, method: "initialize", params });
const session = { "mcp-session-id": opened.headers.get("mcp-session-id") };
await send("POST", session, { method: "notifications/initialized" });
const stream = await send("GET", session);
writeFileSync(folder + "/connected", "");
while (!existsSync(folder + "/go")) await wait(20);
const answers = calls.map(({ agent, call, env, isLast }) => {
  if (isLast) process.kill(companion, "SIGKILL");
  return spawnSync("sh", ["-c", "exec 2>&1; '" + process.execPath + "' '" + executable + "' hook " + agent + " || exit 0"],
    { input: JSON.stringify({ cwd: process.cwd(), ...call }), env: { ...process.env, ...env }, encoding: "utf8" }).stdout;
});
writeFileSync(folder + "/answers", JSON.stringify(answers));
process.exit();
`;

const hasScript = process.platform === "linux" && existsSync("/usr/bin/script");

describe.skipIf(!hasScript)("before an agent writes, its user is asked:", () => {
  /** Starts a companion and a CLI at a terminal that is connected to it. @returns lets it call its hooks */
  async function connect(sandbox: Sandbox, calls: readonly (HookCall & { isLast?: true })[], flags = "") {
    const { child } = await serve(sandbox);
    const { folder } = sandbox;
    const discovery = discoveryFiles(sandbox).find((name) => name.includes("gemini-ide-server"));
    const options = { discovery, folder, calls, executable: executablePath(), companion: child.pid };
    writeFileSync(path.join(folder, "cli.mjs"), cli);
    writeFileSync(path.join(folder, "options.json"), JSON.stringify(options));
    const line = `'${process.execPath}' '${folder}/cli.mjs' '${folder}/options.json' ${flags}`;
    startProgram(sandbox, "/usr/bin/script", ["-qec", line, "/dev/null"], { ownGroup: true });
    await eventually(() => expect(existsSync(path.join(folder, "connected"))).toBe(true));
    return async () => {
      writeFileSync(path.join(folder, "go"), "");
      await eventually(() => expect(existsSync(path.join(folder, "answers"))).toBe(true));
      return JSON.parse(readFileSync(path.join(folder, "answers"), "utf8"));
    };
  }

  const before = gemini("BeforeTool", edit("replace"));
  const asked = '{"decision":"ask"}';

  test("where the CLI is connected and has a user, and never after the companion was killed", async () => {
    const sandbox = createSandbox();
    await command(sandbox, "review", "before");
    const call = await connect(sandbox, [
      before,
      gemini("BeforeTool", { tool_name: "read_file", tool_input: { file_path: "a.txt" } }),
      claude("PreToolUse", edit("Edit")),
      claude("PreToolUse", edit("Edit"), "0"),
      { ...before, agent: "qwen" },
      { ...before, isLast: true },
    ]);
    // Another one in this folder is not connected: it would end, or wait for nobody.
    expect(hook(sandbox, before)).toBe("");
    const ofClaude = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}';
    expect(await call()).toEqual([asked, "", ofClaude, "", "", ""]);
  });

  test("not where it answers one prompt and ends", async () => {
    const sandbox = createSandbox();
    await command(sandbox, "review", "before");
    expect(await (await connect(sandbox, [before], "--prompt 'Do it'"))()).toEqual([""]);
  });

  test("not unless the user has said so", async () => {
    const sandbox = createSandbox();
    expect(await (await connect(sandbox, [before]))()).toEqual([""]);
  });

  test.each(["after", "off"])("also with %s, where the user has named the file", async (mode) => {
    const sandbox = createSandbox();
    await command(
      sandbox,
      "review",
      mode,
      "--always",
      ".env",
      "--always",
      "/migrations/",
      "--always",
      "!a.txt",
    );
    const writing = (file: string) => gemini("BeforeTool", edit("write_file", file));
    const call = await connect(sandbox, [
      writing(".env"),
      writing("migrations/0001/up.sql"),
      writing(path.join(sandbox.app, "sub", ".ENV")),
      writing("a.txt"),
      writing("sub/migrations/a.sql"),
      { ...writing(".env"), agent: "qwen" },
    ]);
    expect(await call()).toEqual([asked, asked, asked, "", "", ""]);
    write(sandbox, "a.txt", "one\n");
    expect(await changed(sandbox)).toHaveLength(mode === "off" ? 0 : 1);
  });
});

describe("what the user has reverted", () => {
  /** What a prompt of a session is answered with. */
  const prompt = (sandbox: Sandbox, session = "s", more: object = {}) =>
    hook(sandbox, gemini("BeforeAgent", { prompt: "Go on", session_id: session, ...more }));

  test("its agent hears once, with the lines and the comment, and no other session", async () => {
    const sandbox = createSandbox();
    const file = path.join(sandbox.app, "a.txt");
    writeFileSync(file, "one\ntwo\n");
    write(sandbox, "a.txt", "one\nTWO\n");
    write(sandbox, "b.txt", "theirs\n", "other");
    await command(sandbox, "changes", "revert", "--yes", "a.txt", "--comment", "Keep it small");
    expect(prompt(sandbox, "other")).toBe("");
    // What it hears, its user's agent does not.
    expect(prompt(sandbox, "s", { agent_id: "sub" })).toBe("");
    expect(JSON.parse(prompt(sandbox))).toEqual({
      hookSpecificOutput: {
        hookEventName: "BeforeAgent",
        additionalContext: [
          "The user has looked at what you wrote, and has reverted this (-: your line, which is gone; +: a line that is back):",
          `${file}, line 2:`,
          "- TWO",
          "+ two",
          "The user's comment: Keep it small",
          "Do not write it again unless the user asks for it.",
        ].join("\n"),
      },
    });
    expect(prompt(sandbox)).toBe("");
  });

  test("its agent hears with the next tool, and that it was put back", async () => {
    const sandbox = createSandbox();
    write(sandbox, "a.txt", "one\n");
    await command(sandbox, "changes", "revert", "--yes");
    const after = () => hook(sandbox, gemini("AfterTool", edit("write_file")));
    expect(hook(sandbox, gemini("BeforeTool", edit("write_file")))).toBe("");
    expect(JSON.parse(after()).hookSpecificOutput.additionalContext).toContain(
      "a.txt: the file that you made is gone",
    );
    await command(sandbox, "changes", "undo", "--yes");
    expect(JSON.parse(after()).hookSpecificOutput.additionalContext).toMatch(/put back .*a\.txt\.$/);
    expect(after()).toBe("");
  });

  test("its agent does not hear where that was undone before", async () => {
    const sandbox = createSandbox();
    write(sandbox, "a.txt", "one\n");
    await command(sandbox, "changes", "revert", "--yes");
    await command(sandbox, "changes", "undo", "--yes");
    expect(prompt(sandbox)).toBe("");
  });
});
