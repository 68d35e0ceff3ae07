import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../../testkit/src/eventually.ts";
import { codexSocket } from "../../../../../testkit/src/fake-cli/codex-cli.ts";
import { privateFolder } from "../../../../../testkit/src/private-folder.ts";
import type { Host } from "../../../system/host.ts";
import { startCore } from "../../../testing/core.ts";
import { agents } from "../../agents.ts";
import { isSound } from "../../doctor/step.ts";
import { codex } from "../codex.ts";

/** A machine on which all is well, except that there is no companion. */
function createMachine() {
  const root = realpathSync(privateFolder());
  const make = (name: string) => {
    mkdirSync(path.join(root, name), { recursive: true });
    return path.join(root, name);
  };
  const [tmp, home, folder, bin, lib] = [make("tmp"), make("home"), make("app"), make("bin"), make("lib")];
  writeFileSync(
    path.join(lib, "package.json"),
    JSON.stringify({ name: "@openai/codex", version: "0.169.0" }),
  );
  writeFileSync(path.join(lib, "codex.js"), "");
  symlinkSync(path.join(lib, "codex.js"), path.join(bin, "codex"));
  const host: Host = { tmp, home, env: { PATH: bin }, delimiter: ":" };
  return { host, home, folder, ipc: path.dirname(codexSocket({ home })) };
}
type Machine = ReturnType<typeof createMachine>;

async function examine({ host, folder }: Machine, env: Host["env"] = {}) {
  const terminal = { host: { ...host, env: { ...host.env, ...env } }, folder, processes: new Map() };
  const { steps, ide } = await (await codex.loadCli()).diagnose(codex, terminal, agents);
  for (const step of steps) expect(step.remedy !== undefined).toBe(step.result === "failed");
  const faults = steps.filter(({ result }) => result === "failed").map(({ id, remedy }) => [id, remedy]);
  const evidence = (id: string) => steps.find((step) => step.id === id)?.evidence.join("\n") ?? "";
  return { ide, faults, evidence, sound: isSound(steps) };
}

const start = ({ folder }: Machine) => `Start a companion for this folder: ide-companion ${folder}`;
const restart = "Restart it with the CODEX_HOME of this terminal.";

const serve = ({ host, folder }: Machine, roots = [folder], env: Host["env"] = {}) =>
  startCore({ host: { ...host, env }, roots });

/** A program at the socket that is no companion. */
async function listen({ home, ipc }: Machine, answer?: (requestId: string) => object) {
  mkdirSync(ipc, { recursive: true, mode: 0o700 });
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      const { requestId } = JSON.parse(chunk.toString("utf8", 4));
      if (!answer) return socket.destroy();
      const body = Buffer.from(JSON.stringify(answer(requestId)));
      const header = Buffer.alloc(4);
      header.writeUInt32LE(body.length);
      socket.write(Buffer.concat([header, body]));
    });
  }).listen(codexSocket({ home }));
  onTestFinished(() => void server.close());
  await eventually(() => expect(server.listening).toBe(true));
}

test("all is well with a companion of this folder, to which no user has asked", async () => {
  const machine = createMachine();
  const { events } = await serve(machine);
  const { ide, faults, sound, evidence } = await examine(machine);
  expect({ ide, faults, sound }).toEqual({ ide: "Memory", faults: [], sound: true });
  expect(evidence("answer")).toMatch(/^the context of this folder, after \d+ ms$/);
  expect(evidence("command")).toMatch(/off at every start: type \/ide in Codex CLI/);
  expect(events.filter(({ kind }) => kind === "context-requested")).toEqual([]);
});

test("no companion: the doctor says how to start one", async () => {
  const machine = createMachine();
  expect((await examine(machine)).faults).toEqual([["socket", start(machine)]]);
  await serve(machine, [privateFolder()]);
  const { faults, evidence } = await examine(machine);
  expect(faults).toEqual([["answer", start(machine)]]);
  expect(evidence("answer")).toContain("no-client-found");
});

test("a companion that was started with another CODEX_HOME is not found at this one's socket", async () => {
  const machine = createMachine();
  await startCore({ host: { ...machine.host, tmp: privateFolder() }, roots: [privateFolder()] });
  const other = { ...machine.host, env: { CODEX_HOME: privateFolder() } };
  const { companion } = await startCore({ host: other, roots: [machine.folder] });
  expect(companion.port).toBeGreaterThan(0);
  expect((await examine(machine)).faults).toEqual([["answer", restart]]);
  expect((await examine(machine, other.env)).faults).toEqual([]);
});

test("a folder that others may write to is passed over by the CLI", async () => {
  const machine = createMachine();
  await serve(machine);
  chmodSync(machine.ipc, 0o777);
  const { sound, evidence } = await examine(machine);
  expect(evidence("socket")).toContain(`others may write to ${machine.ipc}: its mode is 777`);
  // The older path does.
  expect(sound).toBe(true);
  chmodSync(path.join(machine.host.tmp, "codex-ipc"), 0o770);
  expect((await examine(machine)).faults).toEqual([["socket", `chmod 700 ${machine.ipc}`]]);
});

test("a path that is too long for a socket", async () => {
  const machine = createMachine();
  const home = path.join(machine.home, "long".repeat(30));
  const { faults, evidence } = await examine(machine, { CODEX_HOME: home });
  expect(evidence("environment")).toBe(`CODEX_HOME=${home}`);
  expect(faults).toEqual([
    ["socket", `Choose a shorter folder than ${path.join(home, "ipc")}, by CODEX_HOME or TMPDIR.`],
  ]);
});

test("a file in the socket's place", async () => {
  const machine = createMachine();
  mkdirSync(machine.ipc, { recursive: true, mode: 0o700 });
  const file = codexSocket(machine);
  writeFileSync(file, "");
  expect((await examine(machine)).faults).toEqual([["socket", `Remove ${file}, and restart the companion.`]]);
});

test("a file in the folder's place", async () => {
  const machine = createMachine();
  mkdirSync(path.dirname(machine.ipc), { recursive: true });
  writeFileSync(machine.ipc, "");
  expect((await examine(machine)).faults).toEqual([
    ["socket", `Remove ${machine.ipc}, and restart the companion.`],
  ]);
});

test("another program that listens there, and answers nothing or knows nobody", async () => {
  const silent = createMachine();
  await listen(silent);
  expect((await examine(silent)).faults).toEqual([
    ["answer", `Restart the program that listens on ${codexSocket(silent)}: an editor, or Codex's own app.`],
  ]);
  const other = createMachine();
  await listen(other, (requestId) => ({
    type: "response",
    requestId,
    resultType: "error",
    error: "no-client-found",
  }));
  const { faults, evidence } = await examine(other);
  expect(faults).toEqual([["answer", start(other)]]);
  expect(evidence("answer")).toContain("which may be another editor or Codex's own app");
});

test("a damaged config.toml, with which the CLI does not start, is named with its line", async () => {
  const machine = createMachine();
  await serve(machine);
  const file = path.join(machine.home, ".codex", "config.toml");
  writeFileSync(file, 'model = "x"\nnotice = [\n');
  const { faults, sound, evidence } = await examine(machine);
  expect(sound).toBe(false);
  expect(faults).toEqual([["settings", expect.stringMatching(/^Fix .*config\.toml, line \d\.$/)]]);
  expect(evidence("settings")).toContain("it does not start with this");
  writeFileSync(file, 'model = "x"\n');
  expect((await examine(machine)).faults).toEqual([]);
});

test("the version is known where the platform's own package is run directly", async () => {
  const machine = createMachine();
  await serve(machine);
  const content = { name: "@openai/codex", version: "0.169.0-linux-x64" };
  writeFileSync(path.join(machine.host.tmp, "..", "lib", "package.json"), JSON.stringify(content));
  expect((await examine(machine)).evidence("program")).toMatch(/^0\.169\.0, /);
});
