import path from "node:path";
import { describe, expect, test } from "vitest";
import { createMachine, type Machine } from "../../../testing/machine.ts";
import { qwenCli } from "./cli.ts";

/** Writes a lock, a number of seconds ago. */
function putLock(machine: Machine, port: number, content: Record<string, unknown> = {}, age = 0): string {
  const text = { port, workspacePath: machine.folder, authToken: `secret ${port}`, ppid: 700, ...content };
  return machine.put("home", `.qwen/ide/${port}.lock`, text, age);
}

async function discover(machine: Machine) {
  const { chosen, files, endpoints, workspace, ide } = await qwenCli.discover(machine);
  const results = files.map(({ found, result, reason }) => [path.basename(found.path), result, reason]);
  const ports = endpoints.map((endpoint) => endpoint.kind === "http" && endpoint.port);
  return { port: chosen?.content?.port, reason: chosen?.reason, results, endpoints, ports, workspace, ide };
}

const withPort = (machine: Machine, port: number, env: Record<string, string> = {}) =>
  machine.with({ env: { QWEN_CODE_IDE_SERVER_PORT: String(port), ...env } });

describe("Qwen Code chooses", () => {
  test("the newest lock that serves its folder", async () => {
    const machine = createMachine([700]);
    putLock(machine, 1, {}, 20);
    const newest = putLock(machine, 2, {}, 10);
    putLock(machine, 3, { workspacePath: "/elsewhere" });
    const found = await discover(machine);
    expect([found.port, found.reason]).toEqual([2, "the newest that serves this folder"]);
    expect(found.workspace).toMatchObject({ result: "inside", source: newest });
    expect(found.ports).toEqual([2, 1]);
  });

  test("the lock that the terminal's port names, unless it serves another folder", async () => {
    const machine = createMachine([700]);
    putLock(machine, 1, {}, 20);
    putLock(machine, 2);
    const found = await discover(withPort(machine, 1));
    expect([found.port, found.reason]).toEqual([1, "QWEN_CODE_IDE_SERVER_PORT names its port"]);
    expect(found.results.map(([name]) => name)).toEqual(["1.lock", "2.lock"]);
    putLock(machine, 1, { workspacePath: "/elsewhere" });
    expect((await discover(withPort(machine, 1))).port).toBe(2);
  });

  test("older files by process and by port, before the locks", async () => {
    const machine = createMachine([700]);
    putLock(machine, 1);
    machine.put("tmp", "qwen-code-ide-server-700.json", { port: 2, workspacePath: machine.folder });
    expect((await discover(machine)).reason).toBe("its name has the IDE's process 700");
    const other = machine.with({ ideProcess: { pid: 800, command: "" } });
    machine.put("tmp", "qwen-code-ide-server-9.json", { port: 9, workspacePath: machine.folder });
    expect((await discover(withPort(other, 9))).port).toBe(9);
    expect((await discover(other)).port).toBe(1);
  });

  test("a file without folders only when the terminal names it", async () => {
    const machine = createMachine([700]);
    putLock(machine, 1, { workspacePath: undefined });
    expect((await discover(machine)).results[0]?.[2]).toBe("it does not say which folders its IDE has open");
    expect((await discover(withPort(machine, 1))).port).toBe(1);
  });

  test("where QWEN_HOME says", async () => {
    const machine = createMachine([700]);
    machine.put("home", "q/ide/5.lock", { port: 5, workspacePath: machine.folder, ppid: 700 });
    expect(
      (await discover(machine.with({ env: { QWEN_HOME: path.join(machine.host.home, "q") } }))).port,
    ).toBe(5);
  });
});

describe("Qwen Code refuses", () => {
  test("locks that it deletes: of a process that is gone, or of several folders without a process", async () => {
    const machine = createMachine([700]);
    putLock(machine, 1, { ppid: 701 });
    putLock(machine, 2, { ppid: undefined, workspacePath: `${machine.folder}:/other` }, 10);
    putLock(machine, 3, { ppid: undefined }, 20);
    const { results } = await discover(machine);
    expect(results).toEqual([
      ["1.lock", "refused", "its process 701 is gone: Qwen Code deletes it"],
      [
        "2.lock",
        "refused",
        `it names no process (ppid), and there is no folder ${machine.folder}:/other: Qwen Code deletes it`,
      ],
      ["3.lock", "chosen", "the newest that serves this folder"],
    ]);
  });

  test("the file that its own specification documents", async () => {
    const machine = createMachine([700]);
    machine.put("tmp", "qwen/ide/qwen-code-ide-server-700-1.json", {
      port: 1,
      workspacePath: machine.folder,
    });
    const { results, port } = await discover(machine);
    expect(port).toBeUndefined();
    expect(results[0]?.slice(1)).toEqual([
      "refused",
      "it stands where the specification says, and Qwen Code does not look there",
    ]);
  });

  test("what is damaged, and an IDE without a folder", async () => {
    const machine = createMachine([700]);
    machine.put("home", ".qwen/ide/1.lock", "{");
    putLock(machine, 2, { workspacePath: "" }, 10);
    putLock(machine, 3, { workspacePath: "relative" }, 20);
    expect((await discover(machine)).results).toEqual([
      ["1.lock", "refused", "it is no JSON object"],
      ["2.lock", "refused", "its IDE has no folder open"],
      ["3.lock", "refused", "its IDE has other folders open: none that is absolute"],
    ]);
  });
});

describe("Qwen Code's endpoints", () => {
  test("are its file, the other locks, and the terminal's port and command", async () => {
    const machine = createMachine([700]);
    const file = putLock(machine, 1, { stdio: { command: "ide" } });
    const other = putLock(machine, 2, {}, 10);
    putLock(machine, 3, { workspacePath: "/elsewhere" }, 20);
    const untold = putLock(machine, 4, { workspacePath: undefined }, 5);
    const command = { QWEN_CODE_IDE_SERVER_STDIO_COMMAND: "from-env" };
    const hosts = ["127.0.0.1"];
    expect((await discover(withPort(machine, 5, command))).endpoints).toEqual([
      { kind: "http", hosts, port: 1, token: "secret 1", source: file },
      { kind: "http", hosts, port: 2, token: "secret 2", source: other },
      { kind: "http", hosts, port: 4, token: "secret 4", source: untold },
      { kind: "stdio", command: "ide", args: [], source: file },
      { kind: "http", hosts, port: 5, token: "secret 1", source: "QWEN_CODE_IDE_SERVER_PORT" },
      { kind: "stdio", command: "from-env", args: [], source: "QWEN_CODE_IDE_SERVER_STDIO_COMMAND" },
    ]);
  });

  test("leave out a port whose file serves another folder", async () => {
    const machine = createMachine([700]);
    putLock(machine, 3, { workspacePath: "/elsewhere" });
    expect((await discover(withPort(machine, 3))).endpoints).toEqual([]);
  });

  test("lead out of a container after they have led inside", async () => {
    const machine = createMachine([700]).with({ inContainer: true });
    putLock(machine, 1);
    expect((await discover(machine)).endpoints[0]).toMatchObject({
      hosts: ["127.0.0.1", "host.docker.internal"],
    });
  });

  test("have no token when there is no file", async () => {
    const machine = createMachine();
    const found = await discover(withPort(machine, 5, { QWEN_CODE_IDE_WORKSPACE_PATH: machine.folder }));
    expect(found.endpoints).toMatchObject([{ port: 5, token: undefined }]);
    expect(found.workspace.result).toBe("inside");
  });
});

describe("Qwen Code's workspace", () => {
  test("may be a JSON array", async () => {
    const machine = createMachine([700]);
    putLock(machine, 1, { workspacePath: JSON.stringify(["/elsewhere", machine.folder]) });
    expect((await discover(machine)).workspace.result).toBe("inside");
  });
});

describe("Qwen Code takes its terminal for", () => {
  const detect = (env: Record<string, string>, command = "") => qwenCli.detectIde({ env, command });

  test("no IDE's, unless it calls itself vscode", () => {
    expect(
      detect({ TERM_PROGRAM: "Zed", ZED_SESSION_ID: "1", TERMINAL_EMULATOR: "JetBrains" }),
    ).toBeUndefined();
    expect(detect({ TERM_PROGRAM: "vscode" }, "/usr/bin/code")?.ide.name).toBe("vscode");
    expect(detect({ TERM_PROGRAM: "vscode" })?.ide.name).toBe("vscodefork");
    expect(detect({ TERM_PROGRAM: "vscode", CURSOR_TRACE_ID: "1" })?.ide.name).toBe("cursor");
  });

  test("the IDE that its discovery file names", () => {
    const named = { name: "helix", displayName: "Helix" };
    expect(qwenCli.detectIde({ env: {}, command: "", named })?.ide).toEqual(named);
  });
});
