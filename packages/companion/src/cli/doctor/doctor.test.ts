import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type SeedCompanionOptions, startSeedCompanion } from "../../../../testkit/src/fake-companion.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import type { Agent } from "../../agents/agent.ts";
import { agents } from "../../agents/agents.ts";
import { findCliProcesses } from "../../agents/doctor/running.ts";
import { isSound } from "../../agents/doctor/step.ts";
import type { Host } from "../../system/host.ts";
import { type ProcessTable, parsePs, readProcessTable } from "../../system/processes/process-table.ts";
import { startCore } from "../../testing/core.ts";
import { createPaint } from "../terminal/paint.ts";
import { describeDiagnosis } from "./doctor-text.ts";

const [gemini, qwen] = agents as readonly [Agent, Agent];

/** A machine on which all is well, except that there is no companion. */
function createMachine(env: Record<string, string> = {}) {
  const root = realpathSync(privateFolder());
  const make = (...names: readonly string[]) => {
    const folder = path.join(root, ...names);
    mkdirSync(folder, { recursive: true });
    return folder;
  };
  const [tmp, home, folder, bin] = [make("tmp"), make("home"), make("project"), make("bin")];
  for (const { command } of agents) {
    const script = path.join(make("lib", command), "cli.js");
    writeFileSync(script, "");
    symlinkSync(script, path.join(bin, command));
    const settings = { ide: { enabled: true }, tools: { approvalMode: "default" } };
    writeFileSync(path.join(make("home", `.${command}`), "settings.json"), JSON.stringify(settings));
  }
  const pkg = (command: string, content: object) =>
    writeFileSync(path.join(root, "lib", command, "package.json"), JSON.stringify(content));
  pkg("gemini", { name: "@google/gemini-cli", version: "0.61.0" });
  pkg("qwen", { name: "@qwen-code/qwen-code", version: "0.24.4" });
  // What containers are to Gemini CLI is checked in the tests of its search.
  const host: Host = { tmp, home, env: { PATH: bin, SSH_CONNECTION: "x", ...env }, delimiter: ":" };
  return { host, folder, root, tmp, home, pkg };
}
type Machine = ReturnType<typeof createMachine>;

async function examine(machine: Machine, agent = gemini, processes: ProcessTable = new Map()) {
  const { host, folder } = machine;
  const diagnosis = await (await agent.loadCli()).diagnose(agent, { host, folder, processes }, agents);
  const sound = isSound(diagnosis.steps);
  const faults = diagnosis.steps.filter(({ result }) => result === "failed");
  for (const step of diagnosis.steps) expect(step.remedy !== undefined).toBe(step.result === "failed");
  expect(sound).toBe(faults.length === 0);
  const results = Object.fromEntries(diagnosis.steps.map(({ id, result }) => [id, result]));
  return {
    ...diagnosis,
    agent,
    folder,
    sound,
    faults: faults.map(({ id, remedy }) => [id, remedy]),
    results,
  };
}

async function startSeed(machine: Machine, options: Partial<SeedCompanionOptions> = {}) {
  const companion = await startSeedCompanion({ tmp: machine.tmp, workspacePath: machine.folder, ...options });
  onTestFinished(() => companion.close());
  return companion;
}

/** A companion of ours that serves the project. */
async function startCompanion({ tmp, home, folder }: Machine): Promise<{ close(): Promise<void> }> {
  const { companion } = await startCore({ host: { tmp, home, env: {}, delimiter: ":" }, roots: [folder] });
  return companion;
}

/** A server that is no companion. @returns its port */
async function startOther(status = 404): Promise<number> {
  const server = createServer((_, response) => response.writeHead(status).end("not here")).listen(
    0,
    "127.0.0.1",
  );
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

function putFile({ tmp, folder }: Machine, port: number, content: object = {}, pid = process.pid): string {
  mkdirSync(path.join(tmp, "gemini", "ide"), { recursive: true });
  const file = path.join(tmp, "gemini", "ide", `gemini-ide-server-${pid}-${port}.json`);
  const ideInfo = { name: "seed", displayName: "Seed" };
  const text = JSON.stringify({ port, workspacePath: folder, authToken: "secret", ideInfo, ...content });
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

describe("the doctor", () => {
  test("finds everything in order with a companion made from the specification", async () => {
    const machine = createMachine();
    const companion = await startSeed(machine);
    const { sound, ide, faults } = await examine(machine);
    expect({ sound, ide, faults }).toEqual({ sound: true, ide: "Seed", faults: [] });
    expect(companion.sessions).toBe(1);
  });

  test("says how to start a companion where there is none, and goes no further", async () => {
    const machine = createMachine();
    const { faults, results } = await examine(machine);
    expect(faults).toEqual([["files", `Start a companion for this folder: ide-companion ${machine.folder}`]]);
    expect(results).toMatchObject({ ide: "unreached", workspace: "unreached", port: "unreached" });
  });

  test("says how to install a CLI that is missing, and notes one that is another version", async () => {
    const machine = createMachine();
    await startSeed(machine);
    machine.pkg("gemini", { name: "@google/gemini-cli", version: "0.99.0" });
    expect((await examine(machine)).results.program).toBe("note");
    rmSync(path.join(machine.root, "bin", "gemini"));
    expect((await examine(machine)).faults).toEqual([["program", `Install it: ${gemini.installCommand}`]]);
  });

  test.each([
    ["Gemini CLI", "0.30.1", "0.31.0"],
    ["Gemini CLI", "0.8.0", "0.31.0"],
    ["Qwen Code", "0.11.2-preview.0", "0.12.0"],
  ])("does not say that %s %s connects, because it cannot", async (name, version, oldest) => {
    const agent = name === gemini.displayName ? gemini : qwen;
    const machine = createMachine();
    const core = await startCompanion(machine);
    const { packageName } = await agent.loadCli();
    machine.pkg(agent.command, { name: packageName, version });
    const { faults, steps, sound } = await examine(machine, agent);
    expect(sound).toBe(false);
    expect(faults).toEqual([
      [
        "program",
        `Start it by: ide-companion run ${agent.name}; or update it: ${agent.installCommand}@latest`,
      ],
    ]);
    expect(JSON.stringify(steps)).toContain(`versions before ${oldest} find no companion from this terminal`);
    machine.pkg(agent.command, { name: packageName, version: oldest });
    expect((await examine(machine, agent)).faults).toEqual([]);
    await core.close();
  });

  test("knows that an older version connects where the terminal leads it to the companion", async () => {
    const machine = createMachine();
    // As below an editor: our shell, what the editor starts shells with, and the editor.
    const [shell, host, editor] = [4_200_001, 4_200_002, 4_200_003] as const;
    const processes = parsePs(
      `${process.pid} ${shell} node doctor\n${shell} ${host} bash\n${host} ${editor} host\n${editor} 1 editor`,
    );
    await startSeed(machine, { pid: editor });
    const version = (of: string) => machine.pkg("gemini", { name: "@google/gemini-cli", version: of });
    version("0.30.0");
    expect(await examine(machine, gemini, processes)).toMatchObject({
      sound: true,
      results: { program: "note" },
    });
    const env = { ...machine.host.env, GEMINI_CLI_IDE_PID: String(editor) };
    const named = { ...machine, host: { ...machine.host, env } };
    expect((await examine(named, gemini, processes)).sound).toBe(false);
    version("0.7.0");
    expect((await examine(machine, gemini, processes)).faults).toEqual([
      ["program", `Update it: ${gemini.installCommand}@latest`],
    ]);
  });

  test("passes on what is wrong with the settings", async () => {
    const machine = createMachine();
    await startSeed(machine);
    const file = path.join(machine.home, ".gemini", "settings.json");
    writeFileSync(file, JSON.stringify({ tools: { sandbox: "docker" } }));
    expect((await examine(machine)).faults).toEqual([
      ["ide-mode", "Say /ide enable in the CLI: it keeps that in its settings."],
      ["sandbox", `Set "tools": { "sandbox": false } in ${file}.`],
    ]);
  });

  test("tells a folder that the IDE does not have open, and an IDE without any", async () => {
    const machine = createMachine();
    const companion = await startSeed(machine, { workspacePath: "/elsewhere" });
    const start = `Start a companion for this folder: ide-companion ${machine.folder}`;
    expect((await examine(machine)).faults).toEqual([["workspace", start]]);
    await companion.close();
    await startSeed(machine, { workspacePath: "" });
    expect((await examine(machine)).faults).toEqual([["workspace", `Open ${machine.folder} in Seed.`]]);
  });

  test.each([gemini.displayName, qwen.displayName])(
    "does not send the user of %s in a circle where the folder's path cannot be written in a list",
    async (name) => {
      const machine = createMachine();
      const folder = path.join(machine.root, "a:b", "shop");
      mkdirSync(folder, { recursive: true });
      await startCompanion({ ...machine, folder });
      const agent = name === gemini.displayName ? gemini : qwen;
      const { faults } = await examine({ ...machine, folder }, agent);
      const remedy = `mv ${machine.root}/a:b ${machine.root}/a-b && ide-companion ${machine.root}/a-b/shop`;
      expect(faults).toEqual([
        [
          expect.stringMatching(/files|workspace/),
          `Take the ":" out of this folder's path, at which agent CLIs split it: ${remedy}`,
        ],
      ]);
    },
  );

  test("a companion with another temp folder is named, also where one in this serves another folder", async () => {
    const machine = createMachine({ TMPDIR: "/own" });
    await startSeed(machine, { workspacePath: "/elsewhere" });
    const theirs = path.join(machine.root, "theirs");
    mkdirSync(theirs);
    // Its other CLI's file lies at home, and leads to a process with the variables of this test.
    await startCompanion({ ...machine, tmp: theirs });
    const { faults } = await examine(machine);
    expect(faults).toEqual([["workspace", expect.stringMatching(/^Start the CLI with(out)? TMPDIR/)]]);
  });

  test("tells a terminal in which the CLI sees no IDE, when the file names none", async () => {
    const machine = createMachine();
    const companion = await startSeed(machine);
    putFile(machine, companion.port, { ideInfo: undefined, authToken: companion.token });
    expect((await examine(machine)).faults).toEqual([
      ["ide", "Start the CLI as one in a known terminal: TERM_PROGRAM=vscode gemini"],
    ]);
  });

  test("tells a port on which nobody listens", async () => {
    const machine = createMachine();
    const file = putFile(machine, 1, { serverPid: 2 ** 22 + 1 });
    const start = `Start a companion for this folder: ide-companion ${machine.folder}`;
    expect((await examine(machine)).faults).toEqual([["port", start]]);
    // Nobody sweeps the file of a process that lives.
    putFile(machine, 1);
    expect((await examine(machine)).faults[0]?.[1]).toContain(`rm ${file}; then start a companion`);
    await startSeed(machine, { pid: 1 });
    expect((await examine(machine)).faults).toEqual([
      ["port", `Remove the file that leads nowhere: rm ${file}`],
    ]);
  });

  test("tells a port that something else serves", async () => {
    const machine = createMachine();
    const file = putFile(machine, await startOther());
    const { faults } = await examine(machine);
    expect(faults).toEqual([["handshake", expect.stringContaining(`rm ${file}; then start a companion`)]]);
  });

  test("tells a companion that does not answer", async () => {
    const machine = createMachine();
    await startSeed(machine, { deviations: { silent: true } });
    expect((await examine(machine)).faults).toEqual([
      ["handshake", "Restart the companion of Seed: it then writes its discovery files again."],
    ]);
  });

  test("tells a token that is refused, and shows none", async () => {
    const machine = createMachine();
    const companion = await startSeed(machine);
    putFile(machine, companion.port, { authToken: "of-yesterday" });
    const { steps, faults } = await examine(machine);
    expect(faults).toEqual([
      ["token", "Restart the companion of Seed: it then writes its discovery files again."],
    ]);
    expect(JSON.stringify(steps)).toContain("Refused with 401");
    expect(JSON.stringify(steps)).not.toMatch(/of-yesterday|a-very-secret-token/);
  });

  test.each([
    [{ initializedStatus: 200 }, "notifications/initialized was answered 200"],
    [{ streamStatus: 405 }, "GET /mcp answered 405"],
  ])("tells a companion whose stream the CLI does not get: %j", async (deviations, evidence) => {
    const machine = createMachine();
    await startSeed(machine, { deviations });
    const { faults, steps } = await examine(machine);
    expect(faults).toEqual([["stream", expect.stringContaining("Update the companion of Seed")]]);
    expect(JSON.stringify(steps)).toContain(evidence);
  });

  test("tells a companion that shows no diffs", async () => {
    const machine = createMachine();
    await startSeed(machine, { deviations: { tools: ["openDiff"] } });
    expect((await examine(machine)).faults).toEqual([
      ["tools", expect.stringContaining("Update the companion of Seed")],
    ]);
  });

  test("tells a workspace that IDE and CLI do not both trust", async () => {
    const machine = createMachine();
    const trust = (level: string) =>
      writeFileSync(
        path.join(machine.home, ".gemini", "trustedFolders.json"),
        JSON.stringify({ [machine.folder]: level }),
      );
    const distrusting = await startSeed(machine, { context: { workspaceState: { isTrusted: false } } });
    trust("TRUST_FOLDER");
    expect((await examine(machine)).faults).toEqual([["trust", "Trust the workspace in Seed."]]);
    trust("DO_NOT_TRUST");
    expect((await examine(machine)).faults).toEqual([]);
    await distrusting.close();
    await startSeed(machine, { context: { workspaceState: { isTrusted: true } } });
    expect((await examine(machine)).faults).toEqual([
      ["trust", "Trust this folder in the CLI as well: /permissions trust"],
    ]);
    trust("TRUST_FOLDER");
    expect((await examine(machine)).faults).toEqual([]);
  });

  test("uses the endpoint that the terminal's variables name, without a file", async () => {
    const machine = createMachine();
    const companion = await startSeed(machine);
    rmSync(companion.file);
    const env = {
      ...machine.host.env,
      TERM_PROGRAM: "vscode",
      GEMINI_CLI_IDE_SERVER_PORT: String(companion.port),
      GEMINI_CLI_IDE_WORKSPACE_PATH: machine.folder,
      GEMINI_CLI_IDE_AUTH_TOKEN: companion.token,
    };
    const { sound, results } = await examine({ ...machine, host: { ...machine.host, env } });
    expect([sound, results.files]).toEqual([true, "note"]);
  });

  test("follows variables that a file of the project sets, and says which file that is", async () => {
    const machine = createMachine();
    await startSeed(machine);
    const trusted = JSON.stringify({ [machine.folder]: "TRUST_FOLDER" });
    writeFileSync(path.join(machine.home, ".gemini", "trustedFolders.json"), trusted);
    const file = path.join(machine.folder, ".env");
    writeFileSync(file, "GEMINI_CLI_IDE_SERVER_PORT=9\nGEMINI_SANDBOX=lxc\n");
    const broken = await examine(machine);
    expect(broken.faults).toEqual([["sandbox", `Take GEMINI_SANDBOX out of ${file}.`]]);
    expect(JSON.stringify(broken.steps)).toContain(`GEMINI_CLI_IDE_SERVER_PORT=9, from ${file}`);
    writeFileSync(file, `TMPDIR=${machine.root}/elsewhere\n`);
    const moved = await examine(machine);
    expect(moved.faults.map(([id]) => id)).toEqual(["files"]);
    expect(JSON.stringify(moved.steps)).toContain(`TMPDIR=${machine.root}/elsewhere, from ${file}`);
  });

  test("goes on to the next endpoint as the CLI does, and says so", async () => {
    const machine = createMachine();
    const companion = await startSeed(machine);
    rmSync(companion.file);
    putFile(machine, 1, { authToken: companion.token });
    const env = { ...machine.host.env, GEMINI_CLI_IDE_SERVER_PORT: String(companion.port) };
    const { sound, results } = await examine({ ...machine, host: { ...machine.host, env } });
    expect([sound, results.environment]).toEqual([true, "note"]);
  });

  test("starts a companion that speaks over standard input, as the CLI would", async () => {
    const machine = createMachine();
    const script = path.join(machine.root, "stdio.mjs");
    writeFileSync(script, stdioCompanion);
    putFile(machine, 0, { port: undefined, stdio: { command: process.execPath, args: [script] } });
    expect((await examine(machine)).faults).toEqual([]);
    putFile(machine, 0, { port: undefined, stdio: { command: "no-such-companion" } });
    expect((await examine(machine)).faults).toEqual([["handshake", expect.stringContaining("rm ")]]);
  });

  test("starts nothing that a project's file of variables has chosen, and says which file that is", async () => {
    const machine = createMachine({ GEMINI_CLI_TRUST_WORKSPACE: "true" });
    const [script, started] = [path.join(machine.root, "bait.mjs"), path.join(machine.root, "started")];
    writeFileSync(script, `import { writeFileSync } from "node:fs"; writeFileSync("${started}", "");`);
    const stdio = { command: process.execPath, args: [script] };
    const file = path.join(machine.folder, ".env");
    const remedy = (name: string) =>
      `Take ${name} out of ${file}. If it is yours, set it in this terminal instead.`;

    const command = "QWEN_CODE_IDE_SERVER_STDIO_COMMAND";
    const variables = [
      `${command}=${stdio.command}`,
      `QWEN_CODE_IDE_SERVER_STDIO_ARGS=${JSON.stringify(stdio.args)}`,
      `QWEN_CODE_IDE_WORKSPACE_PATH=${machine.folder}`,
    ];
    writeFileSync(file, variables.join("\n"));
    expect((await examine(machine, qwen)).faults).toContainEqual(["handshake", remedy(command)]);

    writeFileSync(file, `TMPDIR=${machine.folder}`);
    putFile({ ...machine, tmp: machine.folder }, 0, { port: undefined, stdio });
    expect((await examine(machine)).faults).toContainEqual(["handshake", remedy("TMPDIR")]);
    expect(existsSync(started)).toBe(false);
  });

  test.skipIf(process.platform === "win32")(
    "asks Node for its version without a project's variables, which could choose what is loaded",
    async () => {
      const machine = createMachine();
      machine.pkg("qwen", { name: "@qwen-code/qwen-code", version: "0.24.4", engines: { node: ">=30" } });
      const node = path.join(machine.root, "bin", "node");
      writeFileSync(node, '#!/bin/sh\necho "v20.$NODE_OPTIONS$LD_AUDIT"\n');
      chmodSync(node, 0o755);
      writeFileSync(path.join(machine.folder, ".env"), "NODE_OPTIONS=bait\nLD_AUDIT=bait\n");
      const { steps } = await examine(machine, qwen);
      const said = steps.find(({ id }) => id === "program")?.evidence.at(-1);
      expect(said).toBe("it asks for Node 30, and finds v20.");
    },
  );

  test("notes proxies, token files that others may read, and variables of another companion", async () => {
    const machine = createMachine({ HTTP_PROXY: "http://p", GEMINI_CLI_IDE_SERVER_PORT: "9" });
    const { file } = await startSeed(machine);
    chmodSync(file, 0o644);
    const { sound, results, steps } = await examine(machine);
    expect(sound).toBe(true);
    expect(results).toMatchObject({ proxy: "note", environment: "note" });
    expect(JSON.stringify(steps)).toContain("its mode is 644, and should be 600");
  });

  test.runIf(process.platform === "linux")(
    "finds a companion that wrote its files where the CLI does not look",
    async () => {
      const machine = createMachine();
      await startSeed(machine);
      // For Qwen Code there is none, and the other CLI's file leads to a process with another home.
      const { faults } = await examine(machine, qwen);
      expect(faults).toEqual([
        ["files", `Start the CLI with HOME as the companion has it: HOME=${process.env.HOME} qwen`],
      ]);
    },
  );
});

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

describe("the doctor's text", () => {
  test("shows every link with its mark, wraps, and puts the remedy beneath", async () => {
    const machine = createMachine();
    const diagnosis = await examine(machine);
    const text = describeDiagnosis(diagnosis, { home: machine.root, columns: 80 }, createPaint(false));
    expect(text[0]).toBe("Gemini CLI  ~/project");
    expect(text).toContain("  ✓ IDE mode               switched on in ~/home/.gemini/settings.json");
    expect(text).toContain("  ✗ Discovery files        there is none");
    expect(text).toContain("                           → Start a companion for this folder: ide-companion");
    expect(text).toContain("                             ~/project");
    expect(text).toContain("  · Port                   not reached");
    expect(text.at(-1)).toBe("One link is broken: Gemini CLI does not show its diffs in an IDE here.");
    expect(text.every((line) => line.length <= 80)).toBe(true);
  });

  test("shortens paths in your home, but none in quotation marks, which a shell would not expand", async () => {
    const machine = createMachine();
    const folder = path.join(machine.home, "my shop");
    mkdirSync(folder);
    const diagnosis = await examine({ ...machine, folder });
    const text = describeDiagnosis(diagnosis, { home: machine.home, columns: 200 }, createPaint(false)).join(
      "\n",
    );
    expect(text).toContain("Gemini CLI  ~/my shop");
    expect(text).toContain(`ide-companion '${folder}'`);
    expect(text).not.toContain("'~");
  });

  test("says at its end that all is well", async () => {
    const machine = createMachine();
    await startSeed(machine);
    const text = describeDiagnosis(
      await examine(machine),
      { home: machine.home, columns: 110 },
      createPaint(false),
    );
    expect(text.at(-1)).toBe("Gemini CLI connects to Seed, and shows its diffs there.");
  });
});

const stdioCompanion = `
import { createInterface } from "node:readline";
const reply = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const serverInfo = { name: "stdio", version: "1" };
  if (method === "initialize") reply(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
  const tools = ["openDiff", "closeDiff"].map((name) => ({ name, inputSchema: { type: "object" } }));
  if (method === "tools/list") reply(id, { tools });
});
`;
