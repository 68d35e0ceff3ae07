import { once } from "node:events";
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, vi } from "vitest";
import { isAlive } from "../target/machine.ts";
import { buildKit, textOf } from "../testing/kit-program.ts";

const { script, example, newFolder, launch } = buildKit();

/** Waits for a file whose name has a process id. */
const pidIn = (folder: string, name: RegExp) =>
  vi.waitFor(
    () => {
      const [, found] = name.exec(readdirSync(folder, { recursive: true }).join()) ?? [];
      expect(found).toBeDefined();
      return Number(found);
    },
    { timeout: 30_000 },
  );

test.concurrent("a run that is interrupted ends every companion that it has started, and leaves nothing", async () => {
  const { kit, tmp } = launch(["--", ...example]);
  const ended = once(kit, "exit");
  const started = () => {
    const names = readdirSync(tmp, { recursive: true }).map(String);
    const pids = names.flatMap((name) => /gemini-ide-server-(\d+)-\d+\.json$/.exec(name)?.[1] ?? []);
    return [...new Set(pids.map(Number))].filter((pid) => pid !== kit.pid && isAlive(pid));
  };
  await vi.waitFor(() => expect(started().length).toBeGreaterThan(1), { timeout: 30_000 });
  const pids = started();
  kit.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(readdirSync(tmp)).toEqual([]);
});

test.concurrent.each([
  ["that nobody reads", "pipe", [0, ""]],
  ["that cannot be written", "/dev/full", [2, expect.stringMatching(/^error: ENOSPC/)]],
] as const)("a run with an output %s ends the companion that it has started", async (_, output, ending) => {
  const stdout = output === "pipe" ? output : openSync(output, "w");
  const { kit, tmp } = launch(["--check", "ping", "--", ...example], { stdout });
  kit.stdout?.destroy();
  if (stdout !== "pipe") closeSync(stdout);
  const said = textOf(kit.stderr);
  const [code] = await once(kit, "close");
  expect([code, await said]).toEqual(ending);
  expect(readdirSync(tmp)).toEqual([]);
});

test.concurrent("a run whose report nobody reads on standard error ends the companion that it has started", async () => {
  const { kit, tmp } = launch(["--check", "ping", "--json", "-", "--", ...example]);
  kit.stderr?.destroy();
  const said = textOf(kit.stdout);
  expect(await once(kit, "close")).toEqual([0, null]);
  expect(JSON.parse(await said).results).toMatchObject([{ check: "ping", status: "passed" }]);
  expect(readdirSync(tmp)).toEqual([]);
});

test.concurrent("a run ends even if its companion leaves a program behind that holds its output", async ({
  onTestFinished,
}) => {
  const folder = newFolder();
  const [companion, left] = [path.join(folder, "companion.mjs"), path.join(folder, "left")];
  writeFileSync(
    companion,
    `import { spawn } from "node:child_process";
    import { writeFileSync } from "node:fs";
    const options = { detached: true, stdio: "inherit" };
    const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 600_000)"], options);
    child.unref();
    writeFileSync(${JSON.stringify(left)}, String(child.pid));
    await import(${JSON.stringify(pathToFileURL(script("example-process")).href)});`,
  );
  const { kit } = launch(["--check", "ping", "--", process.execPath, companion, "gemini"]);
  const said = textOf(kit.stdout);
  onTestFinished(() => void process.kill(Number(readFileSync(left, "utf8")), "SIGKILL"));
  expect([await once(kit, "exit"), await said]).toEqual([[0, null], expect.stringContaining("1 passed")]);
});

test.concurrent("an interrupted run does not wait for a companion that never comes up", async () => {
  const source = `
    require("node:fs").writeFileSync(process.env.TMPDIR + "/started-" + process.pid, "");
    process.on("SIGTERM", () => {});
    setInterval(() => {}, 1000);
  `;
  const { kit, tmp } = launch(["--patience", "100", "--", process.execPath, "-e", source]);
  const ended = once(kit, "exit");
  const pid = await pidIn(tmp, /started-(\d+)/);
  kit.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
  expect(isAlive(pid)).toBe(false);
  expect(readdirSync(tmp)).toEqual([]);
});

test.concurrent("a second signal kills a companion that does not end when asked", async () => {
  const folder = newFolder();
  const companion = path.join(folder, "companion.mjs");
  writeFileSync(
    companion,
    `import { writeFileSync } from "node:fs";
    await import(${JSON.stringify(pathToFileURL(script("example-process")).href)});
    process.removeAllListeners("SIGTERM").on("SIGTERM", () => {
      writeFileSync(process.env.TMPDIR + "/asked-" + process.pid, "");
    });`,
  );
  const args = ["--check", "keep-alive", "--", process.execPath, companion, "gemini"];
  const { kit, tmp } = launch(args);
  const ended = once(kit, "exit");
  const pid = await pidIn(tmp, /gemini-ide-server-(\d+)-\d+\.json/);
  kit.kill("SIGINT");
  expect(await pidIn(tmp, /asked-(\d+)/)).toBe(pid);
  kit.kill("SIGINT");
  expect(await ended).toEqual([130, null]);
  // Its parent is gone: somebody else has to collect it.
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 30_000 });
});
