import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../testkit/src/eventually.ts";
import { WireClient } from "../../../testkit/src/fake-cli/gemini-family.ts";
import { admitVisitor } from "../frontends/review/testing/visitor.ts";
import {
  createSandbox,
  discoveryFiles,
  executablePath,
  type Run,
  serve,
  start,
  startProgram,
  useExecutable,
} from "./process-fixture.ts";

useExecutable();

describe("the companion as a process", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("ends at %s with %i and leaves no discovery file", async (signal, code) => {
    const sandbox = createSandbox();
    const run = await serve(sandbox);
    expect(discoveryFiles(sandbox)).toHaveLength(4);
    run.child.kill(signal);
    expect(await run.end).toBe(code);
    expect(discoveryFiles(sandbox)).toEqual([]);
  });

  test("leaves no discovery file at a signal that comes while Kakoune is still being connected", async () => {
    const sandbox = createSandbox();
    const [called, ready] = [path.join(sandbox.folder, "called"), path.join(sandbox.folder, "ready")];
    // The first command takes until it is let go.
    const kak = `#!/bin/sh\ncat >/dev/null\n! mkdir '${called}' 2>/dev/null || read line <'${ready}'\n`;
    writeFileSync(path.join(sandbox.bin, "kak"), kak, { mode: 0o755 });
    await promisify(execFile)("mkfifo", [ready]);
    const run = start(sandbox, ["kakoune", "session", String(process.pid)]);
    await eventually(() => expect([existsSync(called), discoveryFiles(sandbox).length]).toEqual([true, 4]));
    run.child.kill("SIGHUP");
    await writeFile(ready, "\n");
    expect(await run.end).toBe(129);
    expect(discoveryFiles(sandbox)).toEqual([]);
  });

  test("lets no agent accept its own changes where the user says so", async () => {
    const sandbox = createSandbox();
    await serve(sandbox, ["--no-agent-accept"]);
    const [file = ""] = discoveryFiles(sandbox).filter((name) => name.includes("gemini-ide-server"));
    const { port, authToken } = JSON.parse(readFileSync(file, "utf8"));
    const cli = await new WireClient(port, authToken).initialize();
    const { message } = await cli.request("tools/list", {});
    expect(JSON.stringify(message.result)).toContain('"openDiff"');
    expect(JSON.stringify(message.result)).not.toContain('"acceptDiff"');
  });

  test("says what to type next, in the terminal and in the page, for the CLIs that are in the PATH", async () => {
    const sandbox = createSandbox();
    writeFileSync(path.join(sandbox.bin, "codex"), "#!/bin/sh\n", { mode: 0o755 });
    const { text } = await serve(sandbox, [], { env: { PATH: sandbox.bin } });
    expect(text).not.toContain("ide-companion run"); // it is not in this PATH
    expect(text.match(/^ +\w+ +and in it .+$/gm)).toEqual([
      "    codex    and in it /ide, unless it has connected",
    ]);
    const [link = ""] = /http:\S+key=\S+/.exec(text) ?? [];
    const url = new URL("/", link).href;
    const page = await (await admitVisitor({ url, newLink: () => link })).openPage();
    expect((await page.hear("welcome")).agents).toEqual([
      { displayName: "Codex CLI", command: "codex", connectCommand: "/ide" },
    ]);
  });

  test("ends with the parent that holds its standard input", async () => {
    const sandbox = createSandbox();
    const run = await serve(sandbox, [], { stdin: "pipe" });
    run.child.stdin?.end();
    expect(await run.end).toBe(0);
    expect(discoveryFiles(sandbox)).toEqual([]);
  });

  test("ends when nobody reads its output any more", async () => {
    const sandbox = createSandbox();
    const run = await serve(sandbox);
    // The end of its greeting, whose lines it writes one by one: it would end over the rest of them.
    await run.until(/Restart one that is running already\.\n\n/);
    run.child.stdout?.destroy();
    run.child.stderr?.destroy();
    // Something to say: a request without a token.
    const port = /Port +(\d+)/.exec(run.text)?.[1];
    await fetch(`http://127.0.0.1:${port}/mcp`);
    await run.end;
    expect(discoveryFiles(sandbox)).toEqual([]);
  });

  test("a command ends as it would when nobody reads its output any more", async () => {
    const sandbox = createSandbox();
    await serve(sandbox);
    const status = startProgram(sandbox, "bash", [
      "-c",
      `${process.execPath} ${executablePath()} status --json | true; echo \${PIPESTATUS[0]}`,
    ]);
    expect([await status.end, status.text]).toEqual([0, "0\n"]);
  });

  test("keeps running in the background without any standard input", async () => {
    const sandbox = createSandbox();
    const run = await serve(sandbox, [], { stdin: "ignore" });
    const status = start(sandbox, ["status"]);
    expect(await status.end).toBe(0);
    expect(status.text).toContain(`Review page  ${sandbox.app}`);
    expect(run.child.exitCode).toBeNull();
  });

  test("ends at an error that nobody caught, tells it, and leaves no discovery file", async () => {
    const sandbox = createSandbox();
    const bomb = path.join(sandbox.folder, "bomb.cjs");
    writeFileSync(bomb, 'process.on("SIGUSR2", () => { throw new Error("boom"); });');
    const run = await serve(sandbox, [], { env: { NODE_OPTIONS: `--require=${bomb}` } });
    run.child.kill("SIGUSR2");
    expect(await run.end).toBe(1);
    expect(run.text).toMatch(/stopped by an error in itself:\n.*Error: boom/);
    expect(discoveryFiles(sandbox)).toEqual([]);
  });

  test.skipIf(!existsSync("/dev/full"))("says in one line that a full disk takes no output", async () => {
    const call = `exec '${process.execPath}' '${executablePath()}' completions bash >/dev/full`;
    const run = startProgram(createSandbox(), "sh", ["-c", call]);
    expect(await run.end).toBe(1);
    expect(run.text).toMatch(/^error: the output cannot be written: ENOSPC: [^\n]+\n$/);
  });

  test("takes away what a killed one has left", async () => {
    const sandbox = createSandbox();
    const first = await serve(sandbox);
    first.child.kill("SIGKILL");
    expect(await first.end).toBe("SIGKILL");
    expect(discoveryFiles(sandbox)).toHaveLength(4);
    const second = await serve(sandbox);
    await second.until(
      /If Gemini CLI hangs, press Ctrl-C once, then type \/ide enable: the last companion of this folder was killed/,
    );
    expect(discoveryFiles(sandbox).every((file) => !file.includes(String(first.child.pid)))).toBe(true);
    expect(discoveryFiles(sandbox)).toHaveLength(4);
    second.child.kill();
    await second.end;
  });

  test("has the same page at the next start, and another one for other agents", async () => {
    const sandbox = createSandbox();
    const portOf = (run: Run) => /http:\/\/127\.0\.0\.1:(\d+)\/open/.exec(run.text)?.[1];
    const first = await serve(sandbox);
    const second = await serve(sandbox, ["--agent", "gemini"]);
    expect(portOf(second)).not.toBe(portOf(first));
    first.child.kill("SIGKILL");
    await first.end;
    expect(portOf(await serve(sandbox))).toBe(portOf(first));
  });

  test("called again in its folder opens the page that runs, and leaves its agents alone", async () => {
    const sandbox = createSandbox();
    const first = await serve(sandbox);
    const files = discoveryFiles(sandbox);
    const second = start(sandbox, ["--no-open"]);
    expect(await second.end).toBe(0);
    expect(second.text).toContain(`${sandbox.app} is served already, and this starts no second companion.`);
    expect(discoveryFiles(sandbox)).toEqual(files);
    const linkOf = (run: Run) => /http:\S+key=\S+/.exec(run.text)?.[0] ?? "";
    expect(new URL(linkOf(second)).host).toBe(new URL(linkOf(first)).host);
    const opened = await fetch(linkOf(second), { redirect: "manual" });
    expect([opened.status, opened.headers.get("location")]).toEqual([303, "/"]);
    const status = start(sandbox, ["status"]);
    await status.end;
    expect(status.text).toContain(`opens again by: ide-companion ${sandbox.app}\n`);
  });

  test("called again after it was stopped, and not ended, serves the folder itself", async () => {
    const sandbox = createSandbox();
    const first = await serve(sandbox);
    first.child.kill("SIGSTOP");
    await serve(sandbox);
  });

  test("says so when another one serves the same folder, and serves it too", async () => {
    const sandbox = createSandbox();
    await serve(sandbox);
    mkdirSync(path.join(sandbox.app, "sub"));
    const second = await serve(sandbox, ["sub"]);
    await second.until(
      /Claude Code connects to none of several companions: start it by ide-companion run claude/,
    );
    expect(second.text.match(/app\/sub is also served by Review page on port \d+/g)).toHaveLength(1);
    expect(discoveryFiles(sandbox)).toHaveLength(8);
  });

  test("is found by the chosen agents only", async () => {
    const sandbox = createSandbox();
    await serve(sandbox, ["--agent", "gemini"]);
    expect(discoveryFiles(sandbox)).toHaveLength(1);
  });

  test("does not start without a place for its files, and says why", async () => {
    const sandbox = createSandbox();
    writeFileSync(path.join(sandbox.tmp, "gemini"), "");
    const run = start(sandbox, ["--no-open", "--agent", "gemini"]);
    expect(await run.end).toBe(1);
    expect(run.text).toContain(
      `${path.join(sandbox.tmp, "gemini")} is a file, and must be a folder of yours.`,
    );
  });

  test.each([
    [["missing"], 2, /error: there is no folder .*missing/],
    [["--nonsense"], 2, /error: there is no option --nonsense/],
    [["run", "vim"], 2, /error: there is no agent vim: known are gemini, qwen/],
    [["run"], 2, /error: name the agent to run/],
    [["completions", "tcsh"], 2, /error: name a shell: bash, zsh, fish/],
    [["--version"], 0, /^\d+\.\d+\.\d+\n$/],
    [["run", "--help"], 0, /Usage {2}ide-companion run/],
  ] as const)("answers %j with %i", async (args, code, text) => {
    const run = start(createSandbox(), args);
    expect(await run.end).toBe(code);
    expect(run.text).toMatch(text);
  });
});
