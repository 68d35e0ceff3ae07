import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parsePs } from "../../../system/processes/process-table.ts";
import {
  createMachine,
  examine,
  gemini,
  putFile,
  qwen,
  startCompanion,
  startSeed,
} from "../../../testing/doctor-machine.ts";
import { geminiCli } from "../gemini/cli.ts";
import { qwenCli } from "../qwen/cli.ts";

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

  test.each([
    "README.md",
    "packages/companion/README.md",
    "docs/start/first-review.md",
    "docs/start/doctor.md",
  ])(
    "is not needed by readers of %s, who learn the oldest versions and that a CLI may have to be restarted",
    (page) => {
      const text = readFileSync(path.join(import.meta.dirname, "../../../../../..", page), "utf8");
      for (const { displayName, oldestVersion } of [
        { ...gemini, ...geminiCli },
        { ...qwen, ...qwenCli },
      ])
        expect(text).toMatch(new RegExp(`${displayName} (?:before )?${oldestVersion} `));
      expect(text).toMatch(/[Rr]estart/);
    },
  );

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
});
