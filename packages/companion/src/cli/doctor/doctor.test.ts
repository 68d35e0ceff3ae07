import { mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { agents } from "../../agents/agents.ts";
import {
  createMachine,
  examine,
  gemini,
  type Machine,
  qwen,
  startCompanion,
} from "../../testing/doctor-machine.ts";

const start = ({ folder }: Pick<Machine, "folder">) =>
  `Start a companion for this folder: ide-companion ${folder}`;

describe.each(agents.map((agent) => ({ agent, name: agent.displayName })))(
  "the doctor of $name",
  ({ agent }) => {
    test("says how to start a companion where there is none, and then that all is well", async () => {
      const machine = await createMachine();
      const { faults, results } = await examine(machine, agent);
      expect(faults).toEqual([["companion", start(machine)]]);
      expect(results.connection).toBe("unknown");
      const { events } = await startCompanion(machine);
      expect(await examine(machine, agent)).toMatchObject({ ide: "Memory", faults: [], sound: true });
      // Nobody sees the doctor as a CLI that comes and goes.
      const seen = events.filter(({ kind }) => kind === "session-opened" || kind === "context-requested");
      expect(
        seen.every(
          (event) => event.kind === "session-opened" && event.session.agent === "ide-companion doctor",
        ),
      ).toBe(true);
    });

    test("says how to install a missing CLI, and notes a version that was not tried", async () => {
      const machine = await createMachine();
      await startCompanion(machine);
      await agent.loadCli();
      await machine.install(agent, { version: "99.0.0" });
      expect((await examine(machine, agent)).results.program).toBe("note");
      rmSync(path.join(machine.root, "bin", agent.command), { recursive: true });
      expect((await examine(machine, agent)).faults).toEqual([
        ["program", `Install it: ${agent.installCommand}`],
      ]);
    });

    test("knows the version where the platform's own package is run directly", async () => {
      const machine = await createMachine();
      const { packageName, knownVersion } = await agent.loadCli();
      const content = { name: `${packageName}-linux-x64`, version: `${knownVersion}-linux-x64` };
      await machine.install(agent, content);
      expect((await examine(machine, agent)).evidence("program")).toContain(`${knownVersion}, `);
    });

    test("does not say that a companion of another folder is this folder's", async () => {
      const machine = await createMachine();
      const elsewhere = path.join(machine.root, "elsewhere");
      mkdirSync(elsewhere);
      await startCompanion(machine, [elsewhere]);
      expect((await examine(machine, agent)).faults).toEqual([["companion", start(machine)]]);
    });
  },
);

test.each([
  "README.md",
  "packages/companion/README.md",
  "docs/start/first-review.md",
  "docs/start/doctor.md",
])(
  "readers of %s learn the oldest versions and that a CLI may have to be restarted, without the doctor",
  async (page) => {
    const text = readFileSync(path.join(import.meta.dirname, "../../../../..", page), "utf8");
    for (const agent of [gemini, qwen]) {
      const { oldestVersion } = await agent.loadCli();
      expect(text).toMatch(new RegExp(`${agent.displayName} (?:before )?${oldestVersion} `));
    }
    expect(text).toMatch(/[Rr]estart/);
  },
);
