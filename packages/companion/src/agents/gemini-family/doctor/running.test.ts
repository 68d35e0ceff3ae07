import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { agents } from "../../../agents/agents.ts";
import { findCliProcesses } from "../../../agents/doctor/running.ts";
import { parsePs, readProcessTable } from "../../../system/processes/process-table.ts";
import {
  createMachine,
  examine,
  gemini,
  type Machine,
  putFile,
  startSeed,
} from "../../../testing/doctor-machine.ts";

describe.runIf(process.platform === "linux")("a CLI that runs already", () => {
  /** Starts the machine's Gemini CLI. @returns its process id */
  async function startCli(machine: Machine, env: Record<string, string> = {}, code = "") {
    const { folder, root } = machine;
    writeFileSync(
      path.join(root, "lib", "gemini", "cli.js"),
      `${code}\nconsole.log("up"); setInterval(() => {}, 1e6);`,
    );
    return startProcess(path.join(root, "bin", "gemini"), folder, env);
  }

  async function startProcess(script: string, cwd: string, env: Record<string, string> = {}) {
    const child = spawn(process.execPath, [script], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
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
    const script = path.join(machine.root, "server.js");
    writeFileSync(script, 'console.log("up"); setInterval(() => {}, 1e6);');
    const { pid } = await startProcess(script, machine.root);
    putFile(machine, seed.port, { serverPid: pid, authToken: seed.token }, pid);
    return seed;
  }

  const examineNow = async (machine: Machine) => examine(machine, gemini, await readProcessTable());

  test("and was started before the companion is named, and connects after the remedy", async () => {
    const machine = createMachine();
    const early = await startCli(machine);
    const { faults: without } = await examineNow(machine);
    expect(without.at(-1)).toEqual([
      "running",
      `With a companion running, restart Gemini CLI (process ${early.pid}): type /quit in it, then start gemini --resume latest`,
    ]);
    await startLater(machine);
    const { faults, sound, steps } = await examineNow(machine);
    expect(faults).toEqual([
      [
        "running",
        `Restart Gemini CLI (process ${early.pid}): type /quit in it, then start gemini --resume latest`,
      ],
    ]);
    expect(sound).toBe(false);
    expect(JSON.stringify(steps)).toContain("companion that was killed: press Ctrl-C once");
    await early.quit();
    await startCli(machine);
    expect(await examineNow(machine)).toMatchObject({ sound: true, results: { running: "note" } });
  });

  test("is no fault where /ide enable connects it, nor in another folder, nor when it is connected", async () => {
    const machine = createMachine();
    await startCli(machine, { TERM_PROGRAM: "vscode" });
    await startCli(machine, { GEMINI_CLI_IDE_SERVER_PORT: "1" });
    await startCli({ ...machine, folder: machine.home });
    const seed = await startLater(machine);
    const { sound, steps } = await examineNow(machine);
    expect(sound).toBe(true);
    const evidence = steps.find(({ id }) => id === "running")?.evidence;
    expect(
      evidence?.filter((line) => line.includes("is not connected: type /ide enable in it")),
    ).toHaveLength(2);

    const other = createMachine();
    const connect = `require("net").connect(${seed.port}, "127.0.0.1")`;
    await startCli(other, {}, connect);
    putFile(other, seed.port, { serverPid: process.pid, authToken: seed.token });
    const { results } = await examineNow(other);
    expect(results.running).toBe("ok");
  });

  test("is noted on Windows, which does not say in which folder it runs", async () => {
    const machine = createMachine();
    const { pid } = await startCli(machine);
    const processes = await readProcessTable();
    const { steps } = await (await gemini.loadCli()).diagnose(
      gemini,
      {
        ...machine,
        processes,
        platform: "win32",
      },
      agents,
    );
    const { result, evidence = [] } = steps.find(({ id }) => id === "running") ?? {};
    expect(result).toBe("note");
    // The user of this machine may have others running.
    expect(evidence).toContain(
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
