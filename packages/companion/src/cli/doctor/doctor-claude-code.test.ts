import { rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { claudeLock } from "../../../../testkit/src/fake-cli/claude-code.ts";
import { opencode } from "../../agents/claude-code/claude.ts";
import {
  claude,
  createMachine,
  examine,
  type Machine,
  putLock,
  startCompanion,
  startOther,
  toRunEnv,
} from "../../testing/doctor-machine.ts";

const start = ({ folder }: Pick<Machine, "folder">) =>
  `Start a companion for this folder: ide-companion ${folder}`;
const run = "Start it by: ide-companion run claude";

describe("where Claude Code looks", () => {
  test("it starts in a mode that does not ask, and shows no diffs", async () => {
    const machine = await createMachine();
    await startCompanion(machine);
    const file = machine.put({}, "home", ".claude", "settings.json");
    const remedy = `Set "permissions": { "ask": ["Edit", "Write"] } in ${file}: it then asks in every mode.`;
    expect((await examine(machine, claude)).faults).toEqual([["approval", remedy]]);
    await machine.install(claude, { version: "2.0.77" });
    expect((await examine(machine, claude)).faults).toEqual([]);
    const mode = (defaultMode: string, name: string) =>
      machine.put({ permissions: { defaultMode } }, "project", ".claude", name);
    const own = mode("acceptEdits", "settings.json");
    const { faults, evidence } = await examine(machine, claude);
    expect(faults).toEqual([["approval", remedy]]);
    expect(evidence("approval")).toContain(`permissions.defaultMode is "acceptEdits" in ${own}`);
    mode("default", "settings.local.json");
    await machine.install(claude);
    expect((await examine(machine, claude)).faults).toEqual([]);
  });

  test.each(["Edit", "Write", "Edit(**)"])("permissions.allow has %s: it shows no diffs", async (entry) => {
    const machine = await createMachine();
    await startCompanion(machine);
    const allow = { allow: [entry], defaultMode: "default" };
    const file = machine.put({ permissions: allow }, "home", ".claude", "settings.json");
    const { faults, evidence } = await examine(machine, claude);
    const remedy = `Set "permissions": { "ask": ["Edit", "Write"] } in ${file}: it then asks in every mode.`;
    expect(faults).toEqual([["approval", remedy]]);
    expect(evidence("approval")).toContain(`permissions.allow has ${entry} in ${file}`);
    // Claude Code asks about what `ask` names, whatever is allowed.
    machine.put({ permissions: { ...allow, ask: ["Edit", "Write"] } }, "home", ".claude", "settings.json");
    expect((await examine(machine, claude)).faults).toEqual([]);
  });

  test("diffs appear in the terminal: diffTool says so", async () => {
    const machine = await createMachine();
    await startCompanion(machine);
    const file = machine.put({ autoConnectIde: true, diffTool: "terminal" }, "home", ".claude.json");
    expect((await examine(machine, claude)).faults).toEqual([
      ["diffs", `Set "diffTool": "auto" in ${file}.`],
    ]);
    machine.put({ autoConnectIde: true, diffTool: "auto" }, "home", ".claude.json");
    expect((await examine(machine, claude)).faults).toEqual([]);
  });

  test("it connects only after /ide, unless something tells it to connect at its start", async () => {
    const machine = await createMachine();
    const { companion } = await startCompanion(machine);
    machine.put({}, "home", ".claude.json");
    const remedy = "Switch it on: ide-companion install claude";
    expect((await examine(machine, claude)).faults).toEqual([["ide-mode", remedy]]);
    const named = await toRunEnv(machine, claude, claudeLock(companion).port);
    expect((await examine(machine, claude, { env: named })).faults).toEqual([]);
    const off = { ...named, CLAUDE_CODE_AUTO_CONNECT_IDE: "0" };
    expect((await examine(machine, claude, { env: off })).faults).toEqual([
      ["ide-mode", "Unset CLAUDE_CODE_AUTO_CONNECT_IDE."],
    ]);
  });

  test("its configuration is elsewhere: that folder's settings count, and locks of both folders", async () => {
    const machine = await createMachine();
    await startCompanion(machine);
    const env = { CLAUDE_CONFIG_DIR: path.join(machine.root, "config") };
    const { faults, evidence } = await examine(machine, claude, { env });
    expect(faults.map(([id]) => id)).toEqual(["ide-mode", "approval"]);
    expect(evidence("variables")).toContain(`CLAUDE_CONFIG_DIR=${env.CLAUDE_CONFIG_DIR}`);
    machine.put({ autoConnectIde: true }, "config", ".claude.json");
    machine.put({ permissions: { ask: ["Edit", "Write"] } }, "config", "settings.json");
    expect((await examine(machine, claude, { env })).faults).toEqual([]);
    const lock = { pid: process.pid, workspaceFolders: [machine.folder], ideName: "Other", transport: "ws" };
    machine.put(lock, "config", "ide", "1.lock");
    expect((await examine(machine, claude, { env })).faults).toEqual([["companion", run]]);
  });

  test("two companions serve the folder: it connects to neither, except by the port", async () => {
    const machine = await createMachine();
    const { companion } = await startCompanion(machine);
    putLock(machine, 1, { workspaceFolders: [path.dirname(machine.folder)] });
    const { faults, evidence } = await examine(machine, claude);
    expect(faults).toEqual([["companion", run]]);
    expect(evidence("companion")).toContain("Other on port 1");
    const env = await toRunEnv(machine, claude, claudeLock(companion).port);
    expect(await examine(machine, claude, { env })).toMatchObject({ ide: "Memory", faults: [] });
  });

  test("the lock names a symlink: it does not match, except by the port", async () => {
    const machine = await createMachine();
    const { companion } = await startCompanion(machine, [path.join(machine.root, "elsewhere")]);
    const { port, token } = claudeLock(companion);
    const link = path.join(machine.root, "link");
    symlinkSync(machine.folder, link);
    putLock(machine, port, { workspaceFolders: [link], authToken: token });
    const { faults, evidence } = await examine(machine, claude);
    expect(faults).toEqual([["companion", run]]);
    expect(evidence("companion")).toContain(`by a symlink, and Claude Code wants the real path: ${link}`);
    const env = await toRunEnv(machine, claude, port);
    expect((await examine(machine, claude, { env })).faults).toEqual([]);
  });

  test("the terminal is an editor's, and the companion is another one's", async () => {
    const machine = await createMachine();
    const { companion } = await startCompanion(machine);
    const { port } = claudeLock(companion);
    const { readProcessTable } = await import("../../system/processes/process-table.ts");
    for (const env of [{ TERM_PROGRAM: "vscode" }, { TERMINAL_EMULATOR: "JetBrains-JediTerm" }]) {
      const { faults, evidence } = await examine(machine, claude, { env });
      expect(faults).toEqual([["companion", run]]);
      expect(evidence("companion")).toContain("is not above this terminal");
      // Our own process stands for the editor's, and is the lock's.
      const processes = await readProcessTable();
      expect((await examine(machine, claude, { env, processes })).faults).toEqual([]);
      const named = { ...env, ...(await toRunEnv(machine, claude, port)) };
      expect((await examine(machine, claude, { env: named })).faults).toEqual([]);
    }
  });

  test("locks that lead nowhere are named with the reason, and do no harm", async () => {
    const machine = await createMachine();
    await startCompanion(machine);
    putLock(machine, 1, { workspaceFolders: [machine.folder], serverPid: 2 ** 22 + 1 });
    putLock(machine, 2, { workspaceFolders: ["/elsewhere"] });
    putLock(machine, 3, { workspaceFolders: [machine.folder], transport: "sse" });
    const { faults, evidence } = await examine(machine, claude, { env: { CLAUDE_CODE_SSE_PORT: "4" } });
    expect(faults).toEqual([]);
    expect(evidence("companion")).toContain(`process ${2 ** 22 + 1} is gone`);
    expect(evidence("companion")).toContain("Other has /elsewhere open");
    expect(evidence("companion")).toContain('its transport is "sse"');
    expect(evidence("variables")).toContain("no companion of this folder has the port 4");
  });

  test("nothing listens on the port of the lock, or somebody else does", async () => {
    const machine = await createMachine();
    const { companion } = await startCompanion(machine, [path.join(machine.root, "elsewhere")]);
    const file = putLock(machine, 1, { workspaceFolders: [machine.folder] });
    expect((await examine(machine, claude)).faults).toEqual([
      ["connection", expect.stringContaining(`rm ${file}; then`)],
    ]);
    rmSync(file);
    const { port, file: own } = claudeLock(companion);
    putLock(machine, port, { workspaceFolders: [machine.folder], authToken: "old" });
    const refused = await examine(machine, claude);
    const remedy = "Restart the companion of Other: it then writes its files again.";
    expect(refused.faults).toEqual([["connection", remedy]]);
    expect(refused.evidence("connection")).toContain("refuses the token: 401");
    rmSync(own);
    putLock(machine, await startOther(), { workspaceFolders: [machine.folder] });
    expect((await examine(machine, claude)).evidence("connection")).toContain("is served by something else");
  });

  test("the terminal's port is another window's, which shows no diffs of this folder", async () => {
    const machine = await createMachine();
    const elsewhere = path.join(machine.root, "elsewhere");
    const { companion: other } = await startCompanion(machine, [elsewhere]);
    const env = await toRunEnv(machine, claude, claudeLock(other).port);
    const { faults, evidence } = await examine(machine, claude, { env });
    expect(faults).toEqual([["companion", start(machine)]]);
    expect(evidence("companion")).toContain(`${elsewhere} open, and not this folder`);
    const { companion: own } = await startCompanion(machine);
    expect((await examine(machine, claude, { env })).faults).toEqual([["companion", run]]);
    const right = await toRunEnv(machine, claude, claudeLock(own).port);
    expect((await examine(machine, claude, { env: right })).faults).toEqual([]);
  });
});

test("opencode finds the companion by the same lock, and not where a variable names its port", async () => {
  const machine = await createMachine();
  await machine.install(opencode);
  const PATH = path.join(machine.root, "bin", "opencode");
  const look = (env: Record<string, string> = {}) => examine(machine, opencode, { env: { PATH, ...env } });
  expect((await look()).faults).toEqual([["companion", start(machine)]]);
  const { companion } = await startCompanion(machine);
  expect(await look()).toMatchObject({ faults: [], results: { connection: "ok", hooks: "note" } });
  const { port } = claudeLock(companion);
  expect((await look({ CLAUDE_CODE_SSE_PORT: String(port) })).faults).toEqual([
    ["ide-mode", "Unset CLAUDE_CODE_SSE_PORT."],
  ]);
});
