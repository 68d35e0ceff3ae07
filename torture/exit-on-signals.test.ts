import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { findLeftovers } from "../scripts/leftovers.mjs";

const url = (name: string) => pathToFileURL(join(import.meta.dirname, name)).href;
/** Lets Node run our sources as they are. */
const typescript = url("typescript.mjs");

/** As `npm run torture` does, when everything is built. */
const program = (part: string) => `
  import { exitOnSignals } from "${url("exit-on-signals.ts")}";
  import { torture } from "${url("command.ts")}";
  import { parts } from "${url("parts.ts")}";
  exitOnSignals();
  process.exitCode = await torture([${JSON.stringify(part)}], { parts, print: console.log });`;

/** A whole torture run starts, which takes half a minute on a machine with a load of 40. */
const patiently = (assertion: () => Promise<void>) =>
  vi.waitFor(assertion, { timeout: 100_000, interval: 50 });

test.runIf(process.platform === "linux").each([
  ["sequences", "SIGINT", 130],
  ["wire", "SIGTERM", 143],
] as const)("%s that is ended by %s leaves no process, no disk and no folder", async (part, signal, code) => {
  const folder = mkdtempSync(join(tmpdir(), "ide-companion-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const child = spawn(
    process.execPath,
    ["--import", typescript, "--input-type=module", "--eval", program(part)],
    {
      env: { ...process.env, TMPDIR: folder },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const complaints = text(child.stderr);
  const ended = once(child, "exit");
  const companions = join(folder, "ide-");
  await patiently(async () => expect(await findLeftovers(companions)).not.toEqual([]));
  child.kill(signal);
  expect(await ended).toEqual([code, null]);
  expect(await complaints).toBe("");
  await patiently(async () => expect(await findLeftovers(folder)).toEqual([]));
  expect(readdirSync(folder)).toEqual([]);
});
