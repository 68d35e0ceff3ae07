import { spawn } from "node:child_process";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { ended, processTree } from "../packages/testkit/src/process-tree.ts";
import type { Resident, Sandbox } from "../packages/testkit/src/sandbox.ts";
import { poll } from "../packages/testkit/src/waiting.ts";
import { type AgentKind, startConnected, writeSettings } from "./harness/agent-cli.ts";
import { startCompanion } from "./harness/companion.ts";
import { gemini } from "./harness/gemini.ts";
import { companionScript } from "./harness/installed.ts";
import { startModel } from "./harness/model.ts";
import { pathTo } from "./harness/path-to.ts";
import { qwen } from "./harness/qwen.ts";
import { openReviewPage } from "./harness/review-page.ts";
import { scenario } from "./harness/scenario.ts";

for (const kind of [gemini, qwen]) {
  scenario(
    `run ${kind.name} in tmux, in a subfolder, opens its diffs in the page`,
    async (sandbox) => {
      const companion = await startCompanion(sandbox);
      const page = await openReviewPage(sandbox, companion.link);
      await mkdir(sandbox.path("deep/down"), { recursive: true });
      const cli = await startByRun(sandbox, kind, sandbox.path("deep/down"));
      await cli.proposeWrite(sandbox.path("deep/down/note.txt"), "deep\n");
      await (await page.proposal("note.txt")).accept();
      await cli.finished();
      expect(String(await sandbox.read("deep/down/note.txt"))).toBe("deep\n");
    },
    { matrix: kind === gemini },
  );
}

scenario(
  "run gemini connects in the second folder of a companion with two, which is reached by a symlink",
  async (sandbox) => {
    const [first, second] = [sandbox.path("first"), sandbox.path("second")];
    await mkdir(first);
    await mkdir(second);
    await symlink(second, join(sandbox.home, "link"));
    await startCompanion(sandbox, { args: [first, second] });
    await startByRun(sandbox, gemini, join(sandbox.home, "link"));
  },
  { matrix: true },
);

scenario("run gemini connects from a plain terminal", async (sandbox) => {
  await startCompanion(sandbox);
  const model = await startModel(sandbox);
  await writeSettings(sandbox, gemini, []);
  const terminal = await startPlainPty(sandbox, `${process.execPath} ${companionScript} run gemini`, {
    cwd: sandbox.workspace,
    env: { ...gemini.env(model), ...(await pathTo(sandbox, gemini)), SSH_CONNECTION: "" },
  });
  await terminal.waitFor("Type your message");
  // While it connects it says so once, and must be asked again.
  await poll("status Connected to", async () => {
    terminal.type("\x15"); // C-u: a part of what was typed before may be left
    terminal.type("/ide status");
    const typed = await terminal.waitFor("/ide status", { within: 10_000 }).catch(() => undefined);
    if (typed === undefined) return undefined; // lost: once more
    terminal.type("\r");
    const answer = terminal.waitFor(/Connected to|Connecting|Disconnected/, { within: 10_000 });
    return (await answer.catch(() => undefined)) === "Connected to" || undefined; // none: ask again
  });
});

/** Starts a CLI as `ide-companion run` does, with nothing that helps it to find its companion. */
async function startByRun(sandbox: Sandbox, kind: AgentKind, cwd: string) {
  const cli = await startConnected(sandbox, kind, {
    cwd,
    command: [process.execPath, companionScript, "run", kind.name],
    env: { ...(await pathTo(sandbox, kind)), SSH_CONNECTION: "" },
    trusted: [cwd],
  });
  return cli;
}

/** A pseudo terminal without any multiplexer: what is typed goes in, what is printed comes out, in order. */
interface PlainPty extends Resident {
  type(text: string): void;
  /** Waits until this was printed after the last `type`. @returns what was found */
  waitFor(wanted: string | RegExp, options?: { readonly within?: number }): Promise<string>;
}

async function startPlainPty(
  sandbox: Sandbox,
  command: string,
  options: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<PlainPty> {
  const child = spawn("script", ["-qfec", `stty cols 140 rows 50; exec ${command}`, "/dev/null"], {
    cwd: options.cwd,
    env: { ...sandbox.env, ...options.env },
    stdio: "pipe",
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error("script did not start");
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is to go
  const plain = () => printed.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "");
  return sandbox.own({
    type(text) {
      printed = "";
      child.stdin.write(text);
    },
    waitFor(wanted, options) {
      const pattern = typeof wanted === "string" ? wanted : wanted.source;
      const find = () =>
        typeof wanted === "string" ? plain().includes(wanted) && wanted : wanted.exec(plain())?.[0];
      return poll(`${pattern} on the plain terminal`, () => find() || undefined, {
        describe: plain,
        ...options,
      });
    },
    describe: () => `--- plain terminal\n${plain()}`,
    async close() {
      const pids = await processTree(pid);
      child.stdin.end();
      child.kill("SIGHUP");
      await ended(pids);
    },
  });
}
