import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  createMachine,
  examine,
  gemini,
  type Machine,
  putFile,
  qwen,
  startCompanion,
  startOther,
  startSeed,
} from "../../testing/doctor-machine.ts";

const start = ({ folder }: Pick<Machine, "folder">) =>
  `Start a companion for this folder: ide-companion ${folder}`;

describe.each([gemini, qwen].map((agent) => ({ agent, name: agent.displayName })))(
  "the doctor of $name",
  ({ agent }) => {
    test("does not say that an older version connects in every terminal, because it does not", async () => {
      const machine = await createMachine();
      await startCompanion(machine);
      const { oldestVersion } = await agent.loadCli();
      await machine.install(agent, { version: "0.9.0" });
      const { faults, evidence } = await examine(machine, agent);
      expect(faults).toEqual([["program", `Update it: ${agent.installCommand}@latest`]]);
      expect(evidence("program")).toContain(`versions before ${oldestVersion} do not connect everywhere`);
      await machine.install(agent, { version: oldestVersion });
      expect((await examine(machine, agent)).faults).toEqual([]);
    });

    test("does not send its user in a circle where the folder's path cannot be written in a list", async () => {
      const machine = await createMachine();
      const folder = path.join(machine.root, "a:b", "shop");
      mkdirSync(folder, { recursive: true });
      await startCompanion(machine, [folder]);
      const remedy = `mv ${machine.root}/a:b ${machine.root}/a-b && ide-companion ${machine.root}/a-b/shop`;
      expect((await examine({ ...machine, folder }, agent)).faults).toEqual([
        ["companion", `Take the ":" out of this folder's path, at which agent CLIs split it: ${remedy}`],
      ]);
    });

    test("passes on what is wrong with the settings, and knows nothing more where a file is damaged", async () => {
      const machine = await createMachine();
      await startCompanion(machine);
      const file = machine.put(
        { tools: { sandbox: "docker", approvalMode: "default" } },
        "home",
        `.${agent.name}`,
        "settings.json",
      );
      expect((await examine(machine, agent)).faults).toEqual([
        ["ide-mode", "Say /ide enable in the CLI: it keeps that in its settings."],
        ["sandbox", `Set "tools": { "sandbox": false } in ${file}.`],
      ]);
      machine.put("{,}", "home", `.${agent.name}`, "settings.json");
      const { faults, results } = await examine(machine, agent);
      expect(faults).toEqual([["settings", expect.stringContaining(`Fix ${file}`)]]);
      expect(results).toMatchObject({ "ide-mode": "unknown", approval: "unknown", sandbox: "unknown" });
    });
  },
);

describe("where Gemini CLI looks", () => {
  test("a companion by the specification is as good as ours", async () => {
    const machine = await createMachine();
    const companion = await startSeed(machine);
    expect(await examine(machine)).toMatchObject({ sound: true, ide: "Seed", faults: [] });
    expect(companion.sessions).toBe(1);
  });

  test("an editor without a folder needs one", async () => {
    const machine = await createMachine();
    await startSeed(machine, { workspacePath: "" });
    expect((await examine(machine)).faults).toEqual([["companion", `Open ${machine.folder} in Seed.`]]);
  });

  test("a folder that is not absolute is no folder, and needs a companion", async () => {
    const machine = await createMachine();
    await startSeed(machine, { workspacePath: "project" });
    expect((await examine(machine)).faults).toEqual([["companion", start(machine)]]);
  });

  test("a companion with another temp folder is named, also where one in this serves another folder", async () => {
    const machine = await createMachine({ TMPDIR: "/own" });
    await startSeed(machine, { workspacePath: "/elsewhere" });
    const theirs = path.join(machine.root, "theirs");
    mkdirSync(theirs);
    // Its other CLI's file lies at home, and leads to a process with the variables of this test.
    await startCompanion({ ...machine, tmp: theirs });
    expect((await examine(machine)).faults).toEqual([
      ["companion", expect.stringMatching(/^Start the CLI with(out)? TMPDIR/)],
    ]);
  });

  test("a file that does not name its IDE needs a terminal that does", async () => {
    const machine = await createMachine();
    const { port, token } = await startSeed(machine);
    putFile(machine, port, { ideInfo: undefined, authToken: token });
    expect((await examine(machine)).faults).toEqual([
      ["ide", "Start the CLI as one in a known terminal: TERM_PROGRAM=vscode gemini"],
    ]);
    expect((await examine(machine, gemini, { env: { ZED_SESSION_ID: "1" } })).faults).toEqual([]);
  });

  test("a port on which nobody listens is reported, and what to do about its file", async () => {
    const machine = await createMachine();
    const file = putFile(machine, 1, { serverPid: 2 ** 22 + 1 });
    expect((await examine(machine)).faults).toEqual([["companion", start(machine)]]);
    // Nobody sweeps the file of a process that lives.
    putFile(machine, 1);
    const then = `rm ${file}; then start a companion for this folder: ide-companion ${machine.folder}`;
    expect((await examine(machine)).faults).toEqual([
      ["connection", `Remove the file that leads nowhere: ${then}`],
    ]);
    await startSeed(machine, { pid: 1 });
    const remedy = `Remove the file that leads nowhere: rm ${file}`;
    expect((await examine(machine)).faults).toEqual([["connection", remedy]]);
  });

  test("a port that something else serves is reported", async () => {
    const machine = await createMachine();
    const file = putFile(machine, await startOther());
    const { faults, evidence } = await examine(machine);
    expect(faults).toEqual([["connection", expect.stringContaining(`rm ${file}; then start a companion`)]]);
    expect(evidence("connection")).toContain("is served by something else: it answered 404");
  });

  test("a companion that does not answer is reported", async () => {
    const machine = await createMachine();
    await startSeed(machine, { deviations: { silent: true } });
    const remedy = "Restart the companion of Seed: it then writes its files again.";
    expect((await examine(machine)).faults).toEqual([["connection", remedy]]);
  });

  test("a token that is refused is reported, and none is shown", async () => {
    const machine = await createMachine();
    const { port } = await startSeed(machine);
    putFile(machine, port, { authToken: "of-yesterday" });
    const { steps, faults } = await examine(machine);
    const remedy = "Restart the companion of Seed: it then writes its files again.";
    expect(faults).toEqual([["connection", remedy]]);
    expect(JSON.stringify(steps)).toContain("refuses the token: 401");
    expect(JSON.stringify(steps)).not.toMatch(/of-yesterday|a-very-secret-token/);
  });

  test("a companion that shows no diffs is reported", async () => {
    const machine = await createMachine();
    await startSeed(machine, { deviations: { tools: ["openDiff"] } });
    expect((await examine(machine)).faults).toEqual([
      ["tools", expect.stringContaining("Update the companion of Seed")],
    ]);
  });

  test("a workspace that IDE and CLI do not both trust is reported", async () => {
    const machine = await createMachine();
    const trust = (level: string) =>
      machine.put({ [machine.folder]: level }, "home", ".gemini", "trustedFolders.json");
    const distrusting = await startSeed(machine, { context: { workspaceState: { isTrusted: false } } });
    trust("TRUST_FOLDER");
    expect((await examine(machine)).faults).toEqual([["trust", "Trust the workspace in Seed."]]);
    const file = trust("DO_NOT_TRUST");
    expect((await examine(machine)).faults).toEqual([]);
    await distrusting.close();
    await startSeed(machine, { context: { workspaceState: { isTrusted: true } } });
    const remedy = `Trust this folder in the CLI as well: set "${machine.folder}": "TRUST_FOLDER" in ${file}, and restart the CLI.`;
    expect((await examine(machine)).faults).toEqual([["trust", remedy]]);
    trust("TRUST_FOLDER");
    expect((await examine(machine)).faults).toEqual([]);
  });

  test("the terminal's variables are enough without a file", async () => {
    const machine = await createMachine();
    const companion = await startSeed(machine);
    rmSync(companion.file);
    const env = {
      TERM_PROGRAM: "vscode",
      GEMINI_CLI_IDE_SERVER_PORT: String(companion.port),
      GEMINI_CLI_IDE_WORKSPACE_PATH: machine.folder,
      GEMINI_CLI_IDE_AUTH_TOKEN: companion.token,
    };
    const { sound, steps } = await examine(machine, gemini, { env });
    expect(sound).toBe(true);
    expect(JSON.stringify(steps)).not.toContain(companion.token);
    const { faults } = await examine(machine, gemini, { env: { ...env, GEMINI_CLI_IDE_SERVER_PORT: "1" } });
    expect(faults).toEqual([["connection", start(machine)]]);
  });

  test("variables that a file of the project sets count, and the file is named", async () => {
    const machine = await createMachine();
    await startSeed(machine);
    machine.put({ [machine.folder]: "TRUST_FOLDER" }, "home", ".gemini", "trustedFolders.json");
    const file = machine.put("GEMINI_CLI_IDE_SERVER_PORT=9\nGEMINI_SANDBOX=lxc\n", "project", ".env");
    const broken = await examine(machine);
    expect(broken.faults).toEqual([["sandbox", `Take GEMINI_SANDBOX out of ${file}.`]]);
    expect(broken.evidence("variables")).toContain(`GEMINI_CLI_IDE_SERVER_PORT=9, from ${file}`);
    writeFileSync(file, `TMPDIR=${machine.root}/elsewhere\n`);
    const moved = await examine(machine);
    expect(moved.faults.map(([id]) => id)).toEqual(["companion"]);
    expect(moved.evidence("variables")).toContain(`TMPDIR=${machine.root}/elsewhere, from ${file}`);
  });

  test("nothing is started that a variable names, and what it would answer is not known", async () => {
    const machine = await createMachine();
    const started = path.join(machine.root, "started");
    const program = machine.put(`#!/bin/sh\ntouch ${started}\n`, "bin", "bait");
    chmodSync(program, 0o755);
    const env = {
      TERM_PROGRAM: "vscode",
      GEMINI_CLI_IDE_SERVER_STDIO_COMMAND: program,
      GEMINI_CLI_IDE_WORKSPACE_PATH: machine.folder,
    };
    const { sound, results } = await examine(machine, gemini, { env });
    expect({ sound, connection: results.connection }).toEqual({ sound: true, connection: "unknown" });
    expect(() => readFileSync(started)).toThrow();
    const missing = { ...env, GEMINI_CLI_IDE_SERVER_STDIO_COMMAND: "no-such-companion" };
    expect((await examine(machine, gemini, { env: missing })).faults).toEqual([
      ["connection", start(machine)],
    ]);
  });

  test.skipIf(process.platform === "win32")(
    "Node is asked for its version without a project's variables, which could choose what is loaded",
    async () => {
      const machine = await createMachine();
      await machine.install(gemini, { engines: { node: ">=30" } });
      const node = machine.put('#!/bin/sh\necho "v20.$NODE_OPTIONS$LD_AUDIT"\n', "bin", "gemini", "node");
      chmodSync(node, 0o755);
      machine.put("NODE_OPTIONS=bait\nLD_AUDIT=bait\n", "project", ".env");
      machine.put({ [machine.folder]: "TRUST_FOLDER" }, "home", ".gemini", "trustedFolders.json");
      const { evidence } = await examine(machine);
      expect(evidence("program")).toContain("it asks for Node 30, and finds v20.");
      expect(evidence("program")).not.toContain("bait");
    },
  );

  test("a port of another companion is noted, for the file counts", async () => {
    const machine = await createMachine({ GEMINI_CLI_IDE_SERVER_PORT: "9" });
    await startSeed(machine);
    expect(await examine(machine)).toMatchObject({ sound: true, results: { variables: "note" } });
  });
});

describe("where Qwen Code looks", () => {
  test.runIf(process.platform === "linux")(
    "a companion that wrote its files elsewhere is found",
    async () => {
      const machine = await createMachine();
      await startSeed(machine);
      // For Qwen Code there is none, and the other CLI's file leads to a process with another home.
      expect((await examine(machine, qwen)).faults).toEqual([
        ["companion", `Start the CLI with HOME as the companion has it: HOME=${process.env.HOME} qwen`],
      ]);
    },
  );
});
