import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  createMachine,
  examine,
  putFile,
  qwen,
  startOther,
  startSeed,
} from "../../../testing/doctor-machine.ts";

describe("the doctor", () => {
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
    const file = path.join(machine.home, ".gemini", "trustedFolders.json");
    const remedy = `Trust this folder in the CLI as well: set "${machine.folder}": "TRUST_FOLDER" in ${file}, and restart the CLI.`;
    expect((await examine(machine)).faults).toEqual([["trust", remedy]]);
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
