import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { copilotLock } from "../../../../testkit/src/fake-cli/copilot-cli.ts";
import {
  codex,
  copilot,
  createMachine,
  examine,
  type Machine,
  startCompanion,
} from "../../testing/doctor-machine.ts";

const start = ({ folder }: Pick<Machine, "folder">) =>
  `Start a companion for this folder: ide-companion ${folder}`;

describe("where Copilot CLI looks", () => {
  test("in a folder below an open one it connects only by its command", async () => {
    const machine = await createMachine();
    await startCompanion(machine);
    const folder = path.join(machine.folder, "src");
    mkdirSync(folder);
    expect((await examine({ ...machine, folder }, copilot)).faults).toEqual([
      ["companion", `Start it in ${machine.folder}, or type /ide in it and choose Memory.`],
    ]);
  });

  test("settings that are switched off or damaged are named with their file", async () => {
    const machine = await createMachine();
    await startCompanion(machine);
    const off = { ide: { autoConnect: false, openDiffOnEdit: false } };
    const file = machine.put(off, "home", ".copilot", "settings.json");
    expect((await examine(machine, copilot)).faults).toEqual([
      ["ide-mode", `Set "ide.autoConnect" to true in ${file}.`],
      ["diffs", `Set "ide.openDiffOnEdit" to true in ${file}.`],
    ]);
    machine.put("{", "home", ".copilot", "settings.json");
    expect((await examine(machine, copilot)).faults).toEqual([["settings", expect.stringContaining(file)]]);
  });

  test("each lock that is dead, damaged or of another folder says so", async () => {
    const machine = await createMachine();
    const lock = { socketPath: "/x", scheme: "unix", headers: {}, ideName: "Other", timestamp: 1 };
    const put = (name: string, content: unknown) => machine.put(content, "home", ".copilot", "ide", name);
    put("a.lock", { ...lock, pid: 2 ** 31 - 2, workspaceFolders: [machine.folder] });
    put("b.lock", "{");
    put("c.lock", { ...lock, pid: process.pid, workspaceFolders: ["/elsewhere"] });
    put("d.lock", { ...lock, pid: process.pid, workspaceFolders: [], headers: { a: 1 } });
    const { evidence, faults } = await examine(machine, copilot);
    expect(faults).toEqual([["companion", start(machine)]]);
    expect(evidence("companion").split("\n")).toEqual([
      expect.stringMatching(/a\.lock is passed over: process 2147483646 is gone$/),
      expect.stringMatching(/b\.lock is passed over: it is not a JSON object$/),
      expect.stringMatching(/c\.lock is passed over: Other has \/elsewhere open$/),
      expect.stringMatching(/d\.lock is passed over: its headers are not an object of texts$/),
    ]);
  });

  test("a socket that nobody serves, and headers that are refused, are reported", async () => {
    const machine = await createMachine();
    const { companion } = await startCompanion(machine);
    const { file, content } = copilotLock(companion);
    writeFileSync(file, JSON.stringify({ ...content, headers: { Authorization: "Bearer wrong" } }));
    const refused = await examine(machine, copilot);
    const remedy = "Restart the companion of Memory: it then writes its files again.";
    expect(refused.faults).toEqual([["connection", remedy]]);
    expect(refused.evidence("connection")).toContain("401");
    writeFileSync(file, JSON.stringify({ ...content, socketPath: "/not/there" }));
    expect((await examine(machine, copilot)).faults).toEqual([
      ["connection", expect.stringContaining(`rm ${file}; then`)],
    ]);
  });

  test("COPILOT_ALLOW_ALL, with which no diff is shown, is named", async () => {
    const machine = await createMachine();
    await startCompanion(machine);
    const env = { COPILOT_ALLOW_ALL: "true" };
    expect((await examine(machine, copilot, { env })).faults).toEqual([
      ["approval", "Unset COPILOT_ALLOW_ALL."],
    ]);
  });
});

describe("where Codex CLI looks", () => {
  test("its user learns that it is off at every start", async () => {
    const machine = await createMachine();
    await startCompanion(machine);
    const { evidence } = await examine(machine, codex);
    expect(evidence("ide-mode")).toMatch(/off at every start: type \/ide in Codex CLI/);
    expect(evidence("connection")).toMatch(/answers with the context of this folder, after \d+ ms$/);
  });

  test("another CODEX_HOME than the companion's keeps it from the socket", async () => {
    const machine = await createMachine();
    await startCompanion(machine);
    const env = { CODEX_HOME: path.join(machine.root, "codex"), TMPDIR: machine.tmp };
    rmSync(path.join(machine.tmp, "codex-ipc"), { recursive: true, force: true });
    const remedy = "Restart the companion with the CODEX_HOME of this terminal.";
    expect((await examine(machine, codex, { env })).faults).toEqual([["connection", remedy]]);
  });

  test("a folder that others may write to is passed over by the CLI", async () => {
    const machine = await createMachine();
    await startCompanion(machine);
    const ipc = path.join(machine.home, ".codex", "ipc");
    chmodSync(ipc, 0o777);
    // The older path does.
    expect((await examine(machine, codex)).faults).toEqual([]);
    chmodSync(path.join(machine.tmp, "codex-ipc"), 0o770);
    const { faults, evidence } = await examine(machine, codex);
    expect(faults).toEqual([["connection", `chmod 700 ${ipc}`]]);
    expect(evidence("connection")).toContain(`others may write to ${ipc}: its mode is 777`);
  });

  test("a damaged config.toml, with which the CLI does not start, is named with its line", async () => {
    const machine = await createMachine();
    await startCompanion(machine);
    const file = machine.put('model = "x"\nnotice = [\n', "home", ".codex", "config.toml");
    const { faults, evidence } = await examine(machine, codex);
    expect(faults).toEqual([["settings", expect.stringMatching(/^Fix .*config\.toml, line \d\.$/)]]);
    expect(evidence("settings")).toContain("it does not start with this");
    writeFileSync(file, 'model = "x"\n');
    expect((await examine(machine, codex)).faults).toEqual([]);
  });
});
