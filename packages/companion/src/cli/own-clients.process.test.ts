import { readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { eventually } from "../../../testkit/src/eventually.ts";
import { agents } from "../agents/agents.ts";
import { startCore } from "../testing/core.ts";
import { createSandbox, discoveryFiles, start, useExecutable } from "./process-fixture.ts";

useExecutable();

test("a file for our own commands alone is no reason to start where no agent can find the companion", async () => {
  const sandbox = createSandbox();
  writeFileSync(path.join(sandbox.home, ".claude"), "no folder");
  const host = { tmp: sandbox.tmp, home: sandbox.home, env: {}, delimiter: path.delimiter };
  const alone = agents.filter(({ name }) => name === "claude");
  await expect(startCore({ host, roots: [sandbox.app], agents: alone })).rejects.toThrow(".claude");
  expect(await start(sandbox, ["status", "--json"]).end).toBe(0);
  expect(readdirSync(path.join(sandbox.home, ".local", "state", "ide-companion", "companions"))).toEqual([]);
});

describe.each(agents)("a companion that serves $displayName alone", (agent) => {
  /** A project that it serves, whose user is the test. */
  async function serveOne() {
    const sandbox = createSandbox();
    const host = { tmp: sandbox.tmp, home: sandbox.home, env: {}, delimiter: path.delimiter };
    const core = await startCore({ host, roots: [sandbox.app], agents: [agent] });
    const run = async (...args: string[]) => {
      const program = start(sandbox, args);
      return { code: await program.end, text: program.text };
    };
    return { sandbox, core, run };
  }

  test("is found by status, pause and resume", async () => {
    const { core, run, sandbox } = await serveOne();
    const { companions } = JSON.parse((await run("status", "--json")).text);
    expect(companions).toMatchObject([{ pid: process.pid, roots: [sandbox.app], health: { status: "ok" } }]);
    const known = agents.map(({ name }) => name);
    expect(known).toEqual(expect.arrayContaining(companions[0].agents));
    expect(await run("pause")).toMatchObject({ code: 0 });
    expect(core.events).toContainEqual(
      expect.objectContaining({ kind: "sharing-changed", wasPaused: false }),
    );
    expect(await run("resume")).toMatchObject({ code: 0 });
  });

  test("is found by diff, whose decision comes back", async () => {
    const { core, sandbox } = await serveOne();
    for (const name of ["a.txt", "b.txt"]) writeFileSync(path.join(sandbox.app, name), name);
    const diff = start(sandbox, ["diff", "a.txt", "b.txt"]);
    const file = path.join(sandbox.app, "a.txt");
    expect((await eventually(() => core.editor.find(file))).proposal.agent).toBe("ide-companion diff");
    core.editor.accept(file);
    expect(await diff.end).toBe(0);
  });

  test("is found by nobody once it has ended, and its file was private", async () => {
    const { core, sandbox, run } = await serveOne();
    const folder = path.join(sandbox.home, ".local", "state", "ide-companion", "companions");
    const [name = ""] = readdirSync(folder);
    expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
    await core.companion.close();
    expect([readdirSync(folder), discoveryFiles(sandbox)]).toEqual([[], []]);
    expect((await run("status")).text).toContain("No companion runs.");
  });
});
