import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { claudeLock } from "../../../../../testkit/src/fake-cli/claude-code.ts";
import { privateFolder } from "../../../../../testkit/src/private-folder.ts";
import type { Host } from "../../../system/host.ts";
import type { ProcessTable } from "../../../system/processes/process-table.ts";
import { readProcessTable } from "../../../system/processes/process-table.ts";
import { startCore } from "../../../testing/core.ts";
import { agents } from "../../agents.ts";
import { findCompanions, toAddress } from "../../discovery/find-companions.ts";
import { isSound } from "../../doctor/step.ts";
import { claude } from "../claude.ts";
import { claudeIdeSettings } from "../settings.ts";

const asks = { permissions: { ask: ["Edit", "Write"] } };

/** A machine on which all is well, except that there is no companion. */
function createMachine(env: Record<string, string> = {}) {
  const root = realpathSync(privateFolder());
  const make = (...names: readonly string[]) => {
    const folder = path.join(root, ...names);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const [tmp, home, folder, bin, lib] = [
    make("tmp"),
    make("home"),
    make("project"),
    make("bin"),
    make("lib"),
  ];
  const put = (content: unknown, ...names: readonly string[]) => {
    make(...names.slice(0, -1));
    const file = path.join(root, ...names);
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
    return file;
  };
  const version = (number: string) =>
    put({ name: "@anthropic-ai/claude-code", version: number }, "lib", "package.json");
  symlinkSync(put("", "lib", "cli.js"), path.join(bin, "claude"));
  version("2.1.332");
  put({ autoConnectIde: true }, "home", ".claude.json");
  put(asks, "home", ".claude", "settings.json");
  const host: Host = { tmp, home, env: { PATH: bin, ...env }, delimiter: ":" };
  return { root, host, home, folder, bin, lib, put, version };
}
type Machine = ReturnType<typeof createMachine>;

async function examine(machine: Machine, env: Host["env"] = {}, processes: ProcessTable = new Map()) {
  const { folder } = machine;
  const host = { ...machine.host, env: { ...machine.host.env, ...env } };
  const { steps, ide } = await (await claude.loadCli()).diagnose(claude, { host, folder, processes }, agents);
  for (const step of steps) expect(step.remedy !== undefined).toBe(step.result === "failed");
  const faults = steps.filter(({ result }) => result === "failed").map(({ id, remedy }) => [id, remedy]);
  const evidence = (id: string) => steps.find((step) => step.id === id)?.evidence.join("\n") ?? "";
  const results = Object.fromEntries(steps.map(({ id, result }) => [id, result]));
  return { ide, faults, evidence, results, sound: isSound(steps) };
}

/** A companion of ours for this machine's project, or for other folders. */
async function startCompanion({ host, folder }: Machine, roots = [folder]) {
  const { companion } = await startCore({ host: { ...host, env: {} }, roots });
  return companion;
}

/** What `ide-companion run claude` sets. */
async function runEnv({ host }: Machine, port: number) {
  const findings = await findCompanions(host, [claude]);
  const found = findings.find((finding) => finding.result === "live" && finding.port === port);
  if (found?.result !== "live") throw new Error("there is no such companion");
  return claude.terminalEnv(toAddress(found), host);
}

/** A lock of another maker's companion. */
const putLock = (machine: Machine, port: number, content: object) =>
  machine.put(
    { pid: process.pid, ideName: "Other", transport: "ws", authToken: "t", ...content },
    ...["home", ".claude", "ide", `${port}.lock`],
  );

const start = ({ folder }: Machine) => `Start a companion for this folder: ide-companion ${folder}`;
const run = "Start it by: ide-companion run claude";

test("all is well with a companion of this folder, which no user sees as a CLI", async () => {
  const machine = createMachine();
  const core = await startCore({ host: { ...machine.host, env: {} }, roots: [machine.folder] });
  const { ide, faults, sound, results } = await examine(machine);
  expect({ ide, faults, sound }).toEqual({ ide: "Memory", faults: [], sound: true });
  expect(results).toMatchObject({ program: "ok", files: "ok", choice: "ok", handshake: "ok" });
  expect(core.events.filter(({ kind }) => kind === "session-opened")).toEqual([]);
});

test("no companion: the doctor says how to start one, and then finds it", async () => {
  const machine = createMachine();
  const { faults, results } = await examine(machine);
  expect(faults).toEqual([["files", start(machine)]]);
  expect(results).toMatchObject({ choice: "unreached", port: "unreached", handshake: "unreached" });
  await startCompanion(machine);
  expect((await examine(machine)).faults).toEqual([]);
});

test("no CLI, one that was never tried, and one that is another version", async () => {
  const machine = createMachine();
  await startCompanion(machine);
  machine.version("1.0.20");
  const old = await examine(machine);
  expect(old.results.program).toBe("note");
  expect(old.evidence("program")).toContain("versions before 1.0.128 have not been tried");
  rmSync(path.join(machine.bin, "claude"));
  expect((await examine(machine)).faults).toEqual([["program", `Install it: ${claude.installCommand}`]]);
});

test("no diff appears: it starts in auto mode, or another mode that does not ask", async () => {
  const machine = createMachine();
  await startCompanion(machine);
  const file = machine.put({}, "home", ".claude", "settings.json");
  const remedy = `Set "permissions": { "ask": ["Edit", "Write"] } in ${file}: it then asks in every mode.`;
  expect((await examine(machine)).faults).toEqual([["approval", remedy]]);
  machine.version("2.0.77");
  expect((await examine(machine)).faults).toEqual([]);
  const own = machine.put(
    { permissions: { defaultMode: "acceptEdits" } },
    "project",
    ".claude",
    "settings.json",
  );
  const { faults, evidence } = await examine(machine);
  expect(faults).toEqual([["approval", remedy]]);
  expect(evidence("approval")).toContain(`permissions.defaultMode is "acceptEdits" in ${own}`);
  machine.put({ permissions: { defaultMode: "default" } }, "project", ".claude", "settings.local.json");
  machine.version("2.1.332");
  expect((await examine(machine)).faults).toEqual([]);
  rmSync(path.join(machine.folder, ".claude"), { recursive: true });
  machine.put(asks, "home", ".claude", "settings.json");
  expect((await examine(machine)).faults).toEqual([]);
});

test("diffs appear in the terminal: diffTool says so", async () => {
  const machine = createMachine();
  await startCompanion(machine);
  const file = machine.put({ autoConnectIde: true, diffTool: "terminal" }, "home", ".claude.json");
  expect((await examine(machine)).faults).toEqual([["diff-tool", `Set "diffTool": "auto" in ${file}.`]]);
  machine.put({ autoConnectIde: true, diffTool: "auto" }, "home", ".claude.json");
  expect((await examine(machine)).faults).toEqual([]);
});

test("a settings file is broken: nothing that it decides can be known", async () => {
  const machine = createMachine();
  await startCompanion(machine);
  const file = machine.put("[]", "home", ".claude.json");
  const { faults, results } = await examine(machine);
  expect(faults).toEqual([["settings", `Fix ${file}: it is no JSON object.`]]);
  expect(results).toMatchObject({
    approval: "unreached",
    "diff-tool": "unreached",
    "auto-connect": "unreached",
  });
});

test("it does not connect at its start, but after /ide: nothing tells it to", async () => {
  const machine = createMachine();
  const { host } = machine;
  const companion = await startCompanion(machine);
  machine.put({}, "home", ".claude.json");
  const remedy = "Switch it on: ide-companion install claude";
  expect((await examine(machine)).faults).toEqual([["auto-connect", remedy]]);
  const { path: file, values } = claudeIdeSettings(host);
  writeFileSync(
    file,
    JSON.stringify(Object.fromEntries(values.map(({ key, value }) => [key.join("."), value]))),
  );
  expect((await examine(machine)).faults).toEqual([]);
  const off = { CLAUDE_CODE_AUTO_CONNECT_IDE: "0", CLAUDE_CODE_SSE_PORT: String(claudeLock(companion).port) };
  expect((await examine(machine, off)).faults).toEqual([
    ["auto-connect", "Unset CLAUDE_CODE_AUTO_CONNECT_IDE."],
  ]);
});

test("its configuration is elsewhere: that folder's settings count, and locks of both folders", async () => {
  const machine = createMachine();
  await startCompanion(machine);
  const env = { CLAUDE_CONFIG_DIR: path.join(machine.root, "config") };
  const { faults, evidence } = await examine(machine, env);
  expect(faults.map(([id]) => id)).toEqual(["approval", "auto-connect"]);
  expect(evidence("environment")).toContain(`CLAUDE_CONFIG_DIR=${env.CLAUDE_CONFIG_DIR}`);
  machine.put({ autoConnectIde: true }, "config", ".claude.json");
  machine.put(asks, "config", "settings.json");
  expect((await examine(machine, env)).faults).toEqual([]);
  machine.put(
    { pid: process.pid, workspaceFolders: [machine.folder], ideName: "Other", transport: "ws" },
    ...["config", "ide", "1.lock"],
  );
  expect((await examine(machine, env)).faults).toEqual([["choice", run]]);
});

test("two companions serve the folder: it connects to neither, except by the port", async () => {
  const machine = createMachine();
  const companion = await startCompanion(machine);
  putLock(machine, 1, { workspaceFolders: [path.dirname(machine.folder)] });
  const { faults, evidence } = await examine(machine);
  expect(faults).toEqual([["choice", run]]);
  expect(evidence("choice")).toContain("Other on port 1");
  const env = await runEnv(machine, claudeLock(companion).port);
  expect(await examine(machine, env)).toMatchObject({ ide: "Memory", faults: [] });
});

test("the lock names a symlink: it does not match, except by the port", async () => {
  const machine = createMachine();
  const companion = await startCompanion(machine, [path.join(machine.root, "elsewhere")]);
  const { port, token } = claudeLock(companion);
  const link = path.join(machine.root, "link");
  symlinkSync(machine.folder, link);
  putLock(machine, port, { workspaceFolders: [link], authToken: token });
  const { faults, evidence } = await examine(machine);
  expect(faults).toEqual([["files", run]]);
  expect(evidence("files")).toContain(`it names ${link}, a symlink`);
  expect((await examine(machine, await runEnv(machine, port))).faults).toEqual([]);
  // A companion of ours writes the real path.
  await companion.close();
  await startCompanion(machine, [link]);
  expect((await examine(machine)).faults).toEqual([]);
});

test("the terminal is an editor's, and the companion is another one's", async () => {
  const machine = createMachine();
  const companion = await startCompanion(machine);
  const { port } = claudeLock(companion);
  for (const env of [{ TERM_PROGRAM: "vscode" }, { TERMINAL_EMULATOR: "JetBrains-JediTerm" }]) {
    const { faults, evidence } = await examine(machine, env);
    expect(faults).toEqual([["files", run]]);
    expect(evidence("files")).toContain("is not above this terminal");
    // Our own process stands for the editor's, and is the lock's.
    expect((await examine(machine, env, await readProcessTable())).faults).toEqual([]);
    expect((await examine(machine, { ...env, ...(await runEnv(machine, port)) })).faults).toEqual([]);
  }
});

test("locks that lead nowhere are named with the reason, and do no harm", async () => {
  const machine = createMachine();
  await startCompanion(machine);
  const dead = spawn(process.execPath, ["-e", ""]);
  await new Promise((resolve) => dead.once("exit", resolve));
  putLock(machine, 1, { workspaceFolders: [machine.folder], pid: dead.pid });
  putLock(machine, 2, { workspaceFolders: ["/elsewhere"] });
  putLock(machine, 3, { workspaceFolders: [machine.folder], transport: "sse" });
  const { faults, evidence } = await examine(machine, { CLAUDE_CODE_SSE_PORT: "4" });
  expect(faults).toEqual([]);
  for (const reason of [
    `its process ${dead.pid} is gone: Claude Code deletes it`,
    "its editor has other folders open: /elsewhere",
    'its transport is "sse"',
  ]) {
    expect(evidence("files")).toContain(reason);
  }
  expect(evidence("choice")).toContain("no lock file has the port 4 of CLAUDE_CODE_SSE_PORT");
});

test("nothing listens on the port of the lock, or somebody else does", async () => {
  const machine = createMachine();
  const companion = await startCompanion(machine, [path.join(machine.root, "elsewhere")]);
  const remedy = "Restart the companion of Other: it then writes its lock file again.";
  putLock(machine, 1, { workspaceFolders: [machine.folder] });
  expect((await examine(machine)).faults).toEqual([["port", remedy]]);
  rmSync(path.join(machine.home, ".claude", "ide", "1.lock"));
  putLock(machine, claudeLock(companion).port, { workspaceFolders: [machine.folder], authToken: "old" });
  const refused = await examine(machine);
  expect(refused.faults).toEqual([["handshake", remedy]]);
  expect(refused.evidence("handshake")).toContain("the token of the file is refused: 401");
  rmSync(path.join(machine.home, ".claude", "ide", `${claudeLock(companion).port}.lock`));
  const other = createServer((_, response) => response.writeHead(404).end()).listen(0, "127.0.0.1");
  onTestFinished(() => void other.close());
  await once(other, "listening");
  putLock(machine, (other.address() as AddressInfo).port, { workspaceFolders: [machine.folder] });
  expect((await examine(machine)).evidence("handshake")).toContain("is served by something else");
});

test("a proxy is set: this version goes around it", async () => {
  const machine = createMachine();
  await startCompanion(machine);
  const { faults, results } = await examine(machine, { HTTPS_PROXY: "http://127.0.0.1:1" });
  expect({ faults, proxy: results.proxy }).toEqual({ faults: [], proxy: "note" });
});

test("a CLI that runs without an editor is named, with what to type in it", async () => {
  const machine = createMachine();
  await startCompanion(machine);
  const script = path.join(machine.root, "bin", "claude");
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", script], {
    cwd: machine.folder,
    argv0: "claude",
    stdio: "ignore",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const { results, evidence } = await examine(machine, {}, await readProcessTable());
  expect(results.running).toBe("note");
  expect(evidence("running")).toContain(`process ${child.pid} is not connected`);
  expect(evidence("running")).toContain("type /ide in it");
});

test.each(["Edit", "Write", "Edit(**)"])("permissions.allow has %s: it shows no diffs", async (entry) => {
  const machine = createMachine();
  await startCompanion(machine);
  const file = machine.put(
    { permissions: { allow: [entry], defaultMode: "default" } },
    "home",
    ".claude",
    "settings.json",
  );
  const { faults, evidence } = await examine(machine);
  const remedy = `Set "permissions": { "ask": ["Edit", "Write"] } in ${file}: it then asks in every mode.`;
  expect(faults).toEqual([["approval", remedy]]);
  expect(evidence("approval")).toContain(`permissions.allow has ${entry} in ${file}`);
  // Claude Code asks about what `ask` names, whatever is allowed.
  machine.put({ permissions: { allow: [entry], ...asks.permissions } }, "home", ".claude", "settings.json");
  expect((await examine(machine)).faults).toEqual([]);
});

test("the terminal's port is another window's, which shows no diffs of this folder", async () => {
  const machine = createMachine();
  const other = await startCompanion(machine, [path.join(machine.root, "elsewhere")]);
  const env = await runEnv(machine, claudeLock(other).port);
  const { faults, evidence } = await examine(machine, env);
  expect(faults).toEqual([["choice", start(machine)]]);
  expect(evidence("choice")).toContain(`${path.join(machine.root, "elsewhere")} open, and not this folder`);
  const own = await startCompanion(machine);
  expect((await examine(machine, env)).faults).toEqual([["choice", run]]);
  expect((await examine(machine, await runEnv(machine, claudeLock(own).port))).faults).toEqual([]);
});

test("the version is known where the platform's own package is run directly", async () => {
  const machine = createMachine();
  await startCompanion(machine);
  machine.put(
    { name: "@anthropic-ai/claude-code-linux-x64", version: "2.1.332" },
    ...["lib", "package.json"],
  );
  expect((await examine(machine)).evidence("program")).toMatch(/^2\.1\.332, /);
});
