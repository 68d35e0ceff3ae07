import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { createEditorCommand } from "./editor-hook.ts";
import { isAlive } from "./machine.ts";

/** An editor command that never ends, and neither does a program that it starts. */
function endlessCommand(within: number) {
  const folder = privateFolder(onTestFinished);
  const file = path.join(folder, "pid");
  const source = `
    const child = require("node:child_process").spawn("sleep", ["600"], { stdio: "inherit" });
    require("node:fs").writeFileSync(${JSON.stringify(file)}, String(child.pid));
    process.on("SIGTERM", () => {});
  `;
  const life = new AbortController();
  const perform = createEditorCommand([process.execPath, "-e", source], {
    cwd: folder,
    env: process.env,
    within,
    signal: life.signal,
  });
  const pid = () =>
    vi.waitFor(
      () => {
        const found = Number(readFileSync(file, "utf8"));
        expect(found).toBeGreaterThan(0);
        return found;
      },
      { timeout: 10_000 },
    );
  return { perform, pid, interrupt: () => life.abort() };
}

const ends = (pid: number) => vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });

test("an editor command that does not end in time is killed with what it has started", async () => {
  const { perform, pid } = endlessCommand(3000);
  await expect(perform("accept", ["a.txt"])).rejects.toThrow(
    'the editor command "accept" did not end within 3 s',
  );
  await ends(await pid());
});

test("an editor command does not outlive an interrupted run", async () => {
  const { perform, pid, interrupt } = endlessCommand(60_000);
  const performed = expect(perform("accept", ["a.txt"])).rejects.toThrow('"accept"');
  const started = await pid();
  interrupt();
  await performed;
  await ends(started);
});
