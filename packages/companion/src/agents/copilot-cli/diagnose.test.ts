import { chmodSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { copilotLock } from "../../../../testkit/src/fake-cli/copilot-cli.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import type { Host } from "../../system/host.ts";
import type { ProcessTable } from "../../system/processes/process-table.ts";
import { startCore } from "../../testing/core.ts";
import { agents } from "../agents.ts";
import { copilot } from "./copilot.ts";
import { copilotFamily } from "./family.ts";

/** A machine on which all is well, except that there is no companion. */
function createMachine() {
  const root = realpathSync(privateFolder());
  const put = (content: unknown, ...names: readonly string[]) => {
    const file = path.join(root, ...names);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
    return file;
  };
  chmodSync(put("", "bin", "copilot"), 0o755);
  put({ name: "@github/copilot", version: "1.0.102" }, "bin", "package.json");
  const [tmp, home, folder] = ["tmp", "home", "project"].map((name) => path.join(root, name));
  for (const one of [tmp, home, folder]) mkdirSync(one ?? "");
  const host: Host = {
    tmp: tmp ?? "",
    home: home ?? "",
    env: { PATH: path.join(root, "bin") },
    delimiter: ":",
  };
  return { host, folder: folder ?? "", put };
}
type Machine = ReturnType<typeof createMachine>;

async function examine({ host, folder }: Pick<Machine, "host" | "folder">) {
  const processes: ProcessTable = new Map();
  const { steps, ide } = await (await copilot.loadCli()).diagnose(
    copilot,
    { host, folder, processes },
    agents,
  );
  for (const step of steps) expect(step.remedy !== undefined).toBe(step.result === "failed");
  const faults = steps.filter(({ result }) => result === "failed").map(({ id, remedy }) => [id, remedy]);
  const evidence = (id: string) => steps.find((step) => step.id === id)?.evidence.join("\n") ?? "";
  return { ide, faults, evidence };
}

const start = ({ host, folder }: Machine, roots = [folder]) =>
  startCore({ host, roots, families: [copilotFamily] });

test("all is well with a companion of this folder, which no user sees as a CLI", async () => {
  const machine = createMachine();
  const { events } = await start(machine);
  const { ide, faults, evidence } = await examine(machine);
  expect({ ide, faults }).toEqual({ ide: "Memory", faults: [] });
  expect(evidence("handshake")).toContain("takes the headers of the file");
  expect(evidence("approval")).toContain("shows no diffs");
  expect(events.filter(({ kind }) => kind === "session-opened")).toEqual([]);
});

test("no companion: the doctor says how to start one, and then finds it", async () => {
  const machine = createMachine();
  const { faults } = await examine(machine);
  expect(faults).toEqual([["files", `Start a companion for this folder: ide-companion ${machine.folder}`]]);
  await start(machine);
  expect((await examine(machine)).faults).toEqual([]);
});

test("a folder below an open one: the CLI connects there only by its command", async () => {
  const machine = createMachine();
  await start(machine);
  const folder = path.join(machine.folder, "src");
  mkdirSync(folder);
  const { faults } = await examine({ ...machine, folder });
  expect(faults).toEqual([["files", `Start it in ${machine.folder}, or type /ide in it and choose Memory.`]]);
});

test("settings that are switched off or damaged are named with their file", async () => {
  const machine = createMachine();
  await start(machine);
  const off = { ide: { autoConnect: false, openDiffOnEdit: false } };
  const file = machine.put(off, "home", ".copilot", "settings.json");
  expect((await examine(machine)).faults).toEqual([
    ["auto-connect", `Set "ide.autoConnect" to true in ${file}.`],
    ["diffs", `Set "ide.openDiffOnEdit" to true in ${file}.`],
  ]);
  machine.put("{", "home", ".copilot", "settings.json");
  expect((await examine(machine)).faults).toMatchObject([["settings", expect.stringContaining(file)]]);
});

test("each lock that is dead, damaged or of another folder says so", async () => {
  const machine = createMachine();
  const lock = { socketPath: "/x", scheme: "unix", headers: {}, ideName: "Other", timestamp: 1 };
  const put = (name: string, content: unknown) => machine.put(content, "home", ".copilot", "ide", name);
  put("a.lock", { ...lock, pid: 2 ** 31 - 2, workspaceFolders: [machine.folder] });
  put("b.lock", "{");
  put("c.lock", { ...lock, pid: process.pid, workspaceFolders: ["/elsewhere"] });
  put("d.lock", { ...lock, pid: process.pid, workspaceFolders: [], headers: { a: 1 } });
  const { evidence, faults } = await examine(machine);
  expect(faults).toMatchObject([["files", expect.stringContaining("Start a companion")]]);
  expect(evidence("files").split("\n")).toEqual([
    expect.stringMatching(/a\.lock is refused: process 2147483646 is gone$/),
    expect.stringMatching(/b\.lock is refused: it is not a JSON object$/),
    expect.stringMatching(/c\.lock is refused: Other has \/elsewhere open$/),
    expect.stringMatching(/d\.lock is refused: its headers are not an object of texts$/),
  ]);
});

test("a socket that nobody serves, and headers that are refused, need a restart", async () => {
  const machine = createMachine();
  const { companion } = await start(machine);
  const { file, content } = copilotLock(companion);
  const remedy = "Restart the companion of Memory: it then writes its lock file again.";
  const folder = path.dirname(file);
  expect(readdirSync(folder)).toHaveLength(1);
  writeFileSync(file, JSON.stringify({ ...content, headers: { Authorization: "Bearer wrong" } }));
  const refused = await examine(machine);
  expect(refused.faults).toEqual([["handshake", remedy]]);
  expect(refused.evidence("handshake")).toContain("401");
  writeFileSync(file, JSON.stringify({ ...content, socketPath: "/not/there" }));
  expect((await examine(machine)).faults).toEqual([["handshake", remedy]]);
});

test("COPILOT_ALLOW_ALL, with which no diff is shown, is named", async () => {
  const machine = createMachine();
  await start(machine);
  const env = { ...machine.host.env, COPILOT_ALLOW_ALL: "true" };
  const { faults } = await examine({ ...machine, host: { ...machine.host, env } });
  expect(faults).toEqual([["approval", "Unset COPILOT_ALLOW_ALL."]]);
});

test("the version is known where the platform's own package is run directly", async () => {
  const machine = createMachine();
  await start(machine);
  machine.put({ name: "@github/copilot-linux-x64", version: "1.0.102" }, "bin", "package.json");
  expect((await examine(machine)).evidence("program")).toMatch(/^1\.0\.102, /);
});
