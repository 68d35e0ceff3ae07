import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { connectCompanion } from "../packages/companion/src/client/index.ts";
import { killTree } from "../packages/testkit/src/process-tree.ts";
import { createSandbox, type Sandbox } from "../packages/testkit/src/sandbox.ts";
import { poll } from "../packages/testkit/src/waiting.ts";
import { startCompanion } from "./harness/companion.ts";
import { discoveryFiles } from "./harness/discovery-files.ts";
import { companionScript } from "./harness/installed.ts";

/** Debian's `nobody`. */
const uid = 65_534;

/** Only root can be somebody else. */
const canBeOtherUser = process.platform === "linux" && process.getuid?.() === 0;

/** Another user of the same machine, who runs a program and no friends here. */
interface OtherUser {
  /**
   * Runs a module's text as that user.
   * @param given the script has it as `given`
   * @returns what it has written by `tell(value)`
   */
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it with what they expect
  runs(script: string, given: unknown): Promise<any>;
  /** Starts a module's text as that user, which runs until the sandbox ends. Resolves once it has reported something. */
  starts(script: string, given: unknown): Promise<OtherProcess>;
}

interface OtherProcess {
  readonly pid: number;
  /** What it has written by `tell(value)`, oldest first. */
  readonly reports: readonly unknown[];
}

/** Makes the sandbox's temporary folder one that all users share, as `/tmp` is. */
async function shareWith(sandbox: Sandbox): Promise<OtherUser> {
  await chmod(dirname(sandbox.tmp), 0o755);
  await chmod(sandbox.tmp, 0o1777);
  await chmod(sandbox.home, 0o700);
  const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", TMPDIR: sandbox.tmp };
  const options = { uid, gid: uid, env, cwd: "/" };
  return {
    async runs(script, given) {
      const { stdout } = await promisify(execFile)(process.execPath, toArguments(script, given), options);
      return JSON.parse(stdout);
    },
    async starts(script, given) {
      const stdio = ["ignore", "pipe", "inherit"] as const;
      const child = spawn(process.execPath, toArguments(script, given), { ...options, stdio: [...stdio] });
      const { pid, stdout } = child;
      if (pid === undefined || stdout === null) throw new Error("the other user's program did not start");
      sandbox.own({ close: () => killTree(pid) });
      const reports: unknown[] = [];
      const lines = createInterface({ input: stdout });
      lines.on("line", (line) => reports.push(JSON.parse(line)));
      await once(lines, "line");
      return { pid, reports };
    },
  };
}

function toArguments(script: string, given: unknown): readonly string[] {
  const prologue = `const given = ${JSON.stringify(given)};
    const tell = (value) => console.log(JSON.stringify(value));\n`;
  return ["--input-type=module", "--eval", prologue + script];
}

vi.setConfig({ testTimeout: 360_000 });

async function inSandbox(run: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const sandbox = await createSandbox();
  try {
    await run(sandbox);
  } finally {
    await sandbox.close();
  }
}

const knocks = `
  import { readFileSync, readdirSync } from "node:fs";
  const attempt = (read) => { try { return String(read()); } catch (error) { return error.code; } };
  const ask = async (url, options) => {
    const response = await fetch(url, { redirect: "manual", ...options });
    return [response.status, await response.text(), response.headers.get("set-cookie")];
  };
  const { files, folders, port, link, cookie, pid } = given;
  const page = new URL("/", link).href;
  const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  tell({
    files: files.map((file) => attempt(() => readFileSync(file))),
    folders: folders.map((folder) => attempt(() => readdirSync(folder))),
    environ: attempt(() => readFileSync("/proc/" + pid + "/environ")),
    cmdline: attempt(() => readFileSync("/proc/" + pid + "/cmdline")),
    health: await ask("http://127.0.0.1:" + port + "/health"),
    mcp: await ask("http://127.0.0.1:" + port + "/mcp", { method: "POST", headers: json, body: "{}" }),
    stream: await ask("http://127.0.0.1:" + port + "/mcp", { headers: { ...json, "mcp-session-id": given.session } }),
    link: await ask(link),
    page: await ask(page, { headers: { cookie } }),
    api: await ask(page + "api/tree", { headers: { cookie } }),
  });`;

test.skipIf(!canBeOtherUser)(
  "another user reads nothing and gets in nowhere, not even with the page's keys",
  () =>
    inSandbox(async (sandbox) => {
      const other = await shareWith(sandbox);
      const companion = await startCompanion(sandbox);
      const files = await discoveryFiles(sandbox);
      const tokens = await Promise.all(
        files.map(async (file) => JSON.parse(await readFile(file, "utf8")).authToken),
      );
      const session = await openSession(companion.port, tokens[0]);
      const state = join(sandbox.home, ".local/state/ide-companion");
      const memory = (await readdir(state)).map((name) => join(state, name));
      const given = {
        files: [...files, ...memory],
        folders: [join(sandbox.tmp, "gemini/ide"), join(sandbox.tmp, "qwen/ide"), state],
        port: companion.port,
        pid: companion.pid,
        // As if they had been seen in a list of processes, or over a shoulder.
        link: companion.link,
        cookie: "",
        session,
      };
      const first = await other.runs(knocks, given);
      expect(first.files).toEqual(given.files.map(() => "EACCES"));
      expect(first.folders).toEqual(["EACCES", "EACCES", "EACCES"]);
      expect(first.environ).toBe("EACCES");
      for (const token of tokens) expect(first.cmdline).not.toContain(token);
      expect(first.health).toEqual([200, '{"status":"ok"}', null]);
      expect([first.mcp[0], first.stream[0]]).toEqual([401, 401]);
      expect(first.link).toEqual([403, expect.stringContaining("user 65534"), null]);

      // Their attempt has not spent the link; the owner's cookie is of no use to them.
      const { status, headers } = await fetch(companion.link, { redirect: "manual" });
      expect(status).toBe(303);
      const cookie = headers.get("set-cookie")?.split(";")[0];
      expect(
        (await fetch(new URL("/api/tree", companion.link), { headers: { cookie: `${cookie}` } })).status,
      ).toBe(200);
      const second = await other.runs(knocks, { ...given, cookie });
      expect([second.page[0], second.api[0]]).toEqual([403, 403]);
      expect(JSON.stringify(second)).not.toContain(sandbox.workspace);
    }),
);

test.skipIf(!canBeOtherUser)(
  "a folder or file that another user has put in our place is not used, and named",
  () =>
    inSandbox(async (sandbox) => {
      const other = await shareWith(sandbox);
      await other.runs(
        `import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
       mkdirSync(given.tmp + "/gemini/ide", { recursive: true });
       mkdirSync(given.tmp + "/lair", { mode: 0o777 });
       symlinkSync(given.tmp + "/lair", given.tmp + "/qwen");
       const forged = { port: given.port, workspacePath: given.workspace, authToken: "theirs", ideInfo: { name: "x", displayName: "Forged" } };
       writeFileSync(given.tmp + "/gemini/ide/gemini-ide-server-1-" + given.port + ".json", JSON.stringify(forged));
       tell("done");`,
        { tmp: sandbox.tmp, workspace: sandbox.workspace, port: 9 },
      );
      const companion = await startCompanion(sandbox);
      await companion.says(/gemini belongs to user 65534/);
      const files = await discoveryFiles(sandbox);
      expect(files).toContainEqual(expect.stringContaining(join(sandbox.home, ".qwen/ide")));
      expect(await readdir(join(sandbox.tmp, "lair"))).toEqual([]);
      expect(await readdir(join(sandbox.tmp, "gemini/ide"))).toEqual(["gemini-ide-server-1-9.json"]);

      const options = { env: sandbox.env, cwd: sandbox.workspace };
      for (const command of ["status", "doctor"]) {
        const run = promisify(execFile)(process.execPath, [companionScript, command], options);
        const { stdout } = await run.catch((failed: { stdout: string }) => failed);
        expect(stdout).not.toContain("Forged");
        expect(stdout).not.toContain("theirs");
      }
    }),
);

test.skipIf(!canBeOtherUser)(
  "who has got the port of a dead companion is sent nothing, whether they take the connection or let it wait",
  () =>
    inSandbox(async (sandbox) => {
      const other = await shareWith(sandbox);
      const { port, pid, kill } = await startCompanion(sandbox);
      const files = await discoveryFiles(sandbox);
      const token = JSON.parse(await readFile(files[0] ?? "", "utf8")).authToken;
      await kill();
      // As if its process, too, were somebody else's now.
      for (const file of files) {
        const text = (await readFile(file, "utf8")).replaceAll(`: ${pid}`, `: ${process.pid}`);
        await writeFile(file, text);
      }
      const stranger = await other.starts(
        `import { createServer } from "node:net";
         createServer((socket) => {
           tell("somebody");
           socket.on("data", (bytes) => tell(String(bytes))).on("error", () => {});
         }).listen(given.port, "127.0.0.1", () => tell("listens"));`,
        { port },
      );
      const refusal = `port ${port} is served by user 65534, and not by you: nothing was sent there`;
      await expect(connectCompanion({ port, token })).rejects.toThrow(refusal);
      process.kill(stranger.pid, "SIGSTOP");
      await expect(connectCompanion({ port, token })).rejects.toThrow(refusal);
      process.kill(stranger.pid, "SIGCONT");

      const options = { env: sandbox.env, cwd: sandbox.workspace };
      const run = promisify(execFile)(process.execPath, [companionScript, "status"], options);
      const { stdout } = await run.catch((failed: { stdout: string }) => failed);
      expect(stdout).toContain(`nothing of yours listens on port ${port}`);
      const next = await startCompanion(sandbox);
      expect(next.port).not.toBe(port);
      expect(files.filter((file) => existsSync(file))).toEqual([]);

      connect(port, "127.0.0.1").end("the last word");
      await poll("the last word", () => stranger.reports.includes("the last word"));
      const heard = stranger.reports.filter((word) => word !== "somebody");
      expect(heard).toEqual(["listens", "the last word"]);
      expect(stranger.reports.length).toBeGreaterThan(heard.length + 2);
    }),
);

async function openSession(port: number, token: string): Promise<string> {
  const clientInfo = { name: "x", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  });
  return response.headers.get("mcp-session-id") ?? "";
}
