import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ClaudeClient, claudeLock } from "../../../../testkit/src/fake-cli/claude-code.ts";
import { parsePs, readProcessTable } from "../../system/processes/process-table.ts";
import {
  claude,
  createMachine,
  examine,
  gemini,
  type Machine,
  putFile,
  startCompanion,
  startSeed,
} from "../../testing/doctor-machine.ts";
import { findCliProcesses } from "./running.ts";

describe.runIf(process.platform === "linux")("a CLI that runs already", () => {
  /** Starts a program of the machine that does nothing. @returns its process id */
  async function startCli(
    { folder, root }: Machine,
    {
      command = "gemini",
      env = {},
      words = [],
    }: { command?: string; env?: Record<string, string>; words?: string[] } = {},
  ) {
    const script = path.join(root, "bin", command, command);
    writeFileSync(script, 'console.log("up"); setInterval(() => {}, 1e6);');
    const child = spawn(process.execPath, [script, ...words], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    const quit = async () => {
      child.kill();
      await once(child, "exit");
    };
    return { pid: child.pid ?? 0, quit };
  }

  /** A companion that is served by a process which starts now. */
  async function startLater(machine: Machine) {
    const seed = await startSeed(machine);
    rmSync(seed.file);
    const { pid } = await startCli({ ...machine, folder: machine.root }, { command: "server" });
    putFile(machine, seed.port, { serverPid: pid, authToken: seed.token }, pid);
    return seed;
  }

  const examineNow = async (machine: Machine, agent = gemini) =>
    examine(machine, agent, { processes: await readProcessTable() });

  test("and was started before the companion is named, and connects after the remedy", async () => {
    const machine = await createMachine();
    machine.put("", "bin", "server", "server");
    const early = await startCli(machine);
    const restart = `estart Gemini CLI (process ${early.pid}): type /quit in it, then start gemini --resume latest`;
    expect((await examineNow(machine)).faults.at(-1)).toEqual([
      "running",
      `With a companion running, r${restart}`,
    ]);
    await startLater(machine);
    const { faults, sound, evidence } = await examineNow(machine);
    expect(faults).toEqual([["running", `R${restart}`]]);
    expect(sound).toBe(false);
    expect(evidence("running")).toContain(
      "companion that was killed: press Ctrl-C once, then type /ide enable",
    );
    expect(evidence("running")).toContain("press Ctrl-C twice, then start gemini --resume latest");
    await early.quit();
    await startCli(machine);
    expect(await examineNow(machine)).toMatchObject({ sound: true, results: { running: "note" } });
  });

  test("is no fault where /ide enable connects it, nor in another folder", async () => {
    const machine = await createMachine();
    machine.put("", "bin", "server", "server");
    const known = await startCli(machine, { env: { TERM_PROGRAM: "vscode" } });
    const named = await startCli(machine, { env: { GEMINI_CLI_IDE_SERVER_PORT: "1" } });
    await startCli({ ...machine, folder: machine.home });
    await startLater(machine);
    const { sound, evidence } = await examineNow(machine);
    expect(sound).toBe(true);
    for (const { pid } of [known, named]) {
      // A companion of another make does not tell who is connected.
      expect(evidence("running")).toContain(`process ${pid} may be connected, which is not known`);
    }
    expect(
      evidence("running")
        .split("\n")
        .filter((line) => line.startsWith("process")),
    ).toHaveLength(2);
  });

  test("is connected where our companion says so, by its process or as the only one", async () => {
    const machine = await createMachine();
    const { companion, client } = await startCompanion(machine);
    const cli = await startCli(machine);
    expect((await examineNow(machine)).evidence("running")).toContain(`process ${cli.pid} is not connected`);
    await client().initialize();
    const { results, evidence } = await examineNow(machine);
    expect(results.running).toBe("ok");
    expect(evidence("running")).toBe(`process ${cli.pid} is connected`);

    // The companion does not say which of two it is.
    const second = await startCli({
      ...machine,
      folder: machine.put("", "project", "src", "a").slice(0, -2),
    });
    expect((await examineNow(machine)).evidence("running")).toContain(`process ${cli.pid} may be connected`);
    await second.quit();

    const other = await startCli(machine, { command: "claude" });
    expect((await examineNow(machine, claude)).evidence("running")).toBe(
      `process ${other.pid} is not connected: type /ide in it`,
    );
    await ClaudeClient.connect(claudeLock(companion), other.pid);
    await startCli(machine, { command: "claude" });
    const { evidence: ofTwo } = await examineNow(machine, claude);
    expect(ofTwo("running")).toContain(`process ${other.pid} is connected`);
    expect(ofTwo("running")).toContain("is not connected");
  });

  test("prints one answer, and needs no companion", async () => {
    const machine = await createMachine();
    await startCompanion(machine);
    const { pid } = await startCli(machine, { command: "claude", words: ["-p", "Hi"] });
    const { sound, evidence } = await examineNow(machine, claude);
    expect(sound).toBe(true);
    expect(evidence("running")).toBe(`process ${pid} prints one answer, and never connects`);
  });

  test("is noted on Windows, which does not say in which folder it runs", async () => {
    const machine = await createMachine();
    const { pid } = await startCli(machine);
    const processes = await readProcessTable();
    const { results, evidence } = await examine(machine, gemini, { processes, platform: "win32" });
    expect(results.running).toBe("note");
    // The user of this machine may have others running.
    expect(evidence("running")).toContain(
      `process ${pid} was started before the companion: if it runs in this folder, it must be restarted`,
    );
  });

  test("is found by its name or its package, once for all of its processes, and is no other program", () => {
    const processes = parsePs(`
 1 0 init
10 1 node /usr/local/bin/gemini --model x
11 10 /usr/bin/node --max-old-space-size=9 /usr/local/bin/gemini --model x
20 1 /opt/node/bin/node --expose-gc /opt/lib/node_modules/@google/gemini-cli/bundle/cli.js
30 1 node /usr/local/bin/ide-companion run gemini
31 30 node /usr/local/bin/gemini
40 1 vim gemini
50 1 tmux new-session gemini
60 1 C:\\tools\\gemini.exe
70 1 "C:\\nodejs\\node.exe" C:\\npm\\node_modules\\@google\\gemini-cli\\bundle\\gemini.js`);
    const found = findCliProcesses(processes, gemini, { packageName: "@google/gemini-cli" });
    expect(found.map(({ pid }) => pid)).toEqual([10, 20, 31, 60, 70]);
  });
});
