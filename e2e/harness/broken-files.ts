import { spawn } from "node:child_process";
import { chown, mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { closeServer, freePort, listen } from "../../packages/testkit/src/listen.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { startCompanion } from "./companion.ts";
import { type DoctorFixture, put, startSeed } from "./doctor-fixture.ts";

export const start = /^(companion|connection): (Start a companion|Remove the file .* then start a companion)/;

/** A set-up that is broken now: what the doctor must say of it, and how a user does what it says. */
export interface BrokenFiles {
  /** The broken link, and how its remedy begins. */
  readonly fault: RegExp;
  repair(): Promise<unknown>;
}

export type SetUp = (fixture: DoctorFixture) => Promise<BrokenFiles>;

/** Set-ups of both CLIs that a CLI which is running already sees at its next `/ide enable`. */
export const files: Readonly<Record<string, SetUp>> = {
  "there is no companion": async ({ sandbox }) => ({ fault: start, repair: () => startCompanion(sandbox) }),

  "the companion was killed": async ({ sandbox }) => {
    const companion = await startCompanion(sandbox);
    await companion.kill();
    return { fault: start, repair: () => startCompanion(sandbox) };
  },

  "the companion serves another folder": async ({ sandbox }) => {
    await mkdir(join(sandbox.home, "other"));
    await startCompanion(sandbox, { args: [join(sandbox.home, "other")] });
    return { fault: start, repair: () => startCompanion(sandbox) };
  },

  "the IDE has no folder open": async (fixture) => {
    const seed = await startSeed(fixture, {}, { workspacePath: "" });
    const content = { authToken: seed.token };
    return { fault: /^companion: Open /, repair: () => put(fixture, seed.port, content) };
  },

  "the file has yesterday's token": async (fixture) => {
    const seed = await startSeed(fixture, { authToken: "of-yesterday" });
    const content = { authToken: seed.token };
    return { fault: /^connection: Restart the companion/, repair: () => put(fixture, seed.port, content) };
  },

  "another server has the companion's port": async (fixture) => {
    const file = await put(fixture, await otherServer(fixture.sandbox));
    const repair = () => rm(file).then(() => startCompanion(fixture.sandbox));
    return { fault: start, repair };
  },

  "the companion has died, and its editor lives": async (fixture) => {
    const file = await put(fixture, await freePort());
    return { fault: start, repair: () => rm(file).then(() => startCompanion(fixture.sandbox)) };
  },

  "the file was cut off": async (fixture) => {
    const file = await put(fixture, 4000);
    await writeFile(file, '{"port": 4000, "workspa');
    return { fault: start, repair: () => startCompanion(fixture.sandbox) };
  },
};

export const geminiFiles: Readonly<Record<string, SetUp>> = {
  "the file's name has no process": async (fixture) => {
    await put(fixture, 4000, {}, "4000");
    return { fault: start, repair: () => startCompanion(fixture.sandbox) };
  },

  "the file does not tell its folders": async (fixture) => {
    const seed = await startSeed(fixture);
    await put(fixture, seed.port, { workspacePath: undefined, authToken: seed.token });
    return { fault: start, repair: () => startCompanion(fixture.sandbox) };
  },

  "the file belongs to another user": async (fixture) => {
    const seed = await startSeed(fixture);
    // Only root can give a file away; other users have one less way to break things.
    if (process.getuid?.() === 0) await chown(seed.file, 4242, 4242);
    else await rm(seed.file);
    return { fault: start, repair: () => startCompanion(fixture.sandbox) };
  },

  "a file that leads nowhere comes before a good one": async (fixture) => {
    // Both IDEs live, and the higher id counts.
    const ids = [bystander(fixture.sandbox), bystander(fixture.sandbox)];
    await startSeed(fixture, {}, { pid: Math.min(...ids) });
    const port = await freePort();
    const file = await put(fixture, port, {}, `${Math.max(...ids)}-${port}`);
    return { fault: /^connection: Remove the file that leads nowhere: rm /, repair: () => rm(file) };
  },
};

export const qwenFiles: Readonly<Record<string, SetUp>> = {
  "the companion wrote only the file that is documented": async (fixture) => {
    const { sandbox } = fixture;
    const folder = join(sandbox.tmp, "qwen", "ide");
    await mkdir(folder, { recursive: true });
    const content = { port: 4000, workspacePath: sandbox.workspace, authToken: "secret" };
    await writeFile(join(folder, `qwen-code-ide-server-${process.pid}-4000.json`), JSON.stringify(content));
    return { fault: start, repair: () => startCompanion(sandbox) };
  },

  "a lock of several folders names no process": async (fixture) => {
    await startSeed(
      fixture,
      { ppid: undefined },
      { workspacePath: `${fixture.sandbox.workspace}:${fixture.sandbox.home}` },
    );
    return { fault: start, repair: () => startCompanion(fixture.sandbox) };
  },

  "the folder of a lock is not absolute": async (fixture) => {
    await startSeed(fixture, {}, { workspacePath: "workspace" });
    return { fault: start, repair: () => startCompanion(fixture.sandbox) };
  },
};

/** A process from which no CLI has come, which would count more than any id. @returns its id */
function bystander(sandbox: Sandbox): number {
  const child = spawn("sleep", ["infinity"], { stdio: "ignore" });
  sandbox.own({ close: async () => void child.kill() });
  return child.pid ?? 0;
}

/** Something on the web that is no companion. @returns its port */
async function otherServer(sandbox: Sandbox): Promise<number> {
  const server = createServer((_, response) => response.writeHead(404).end("There is nothing here."));
  const port = await listen(server);
  sandbox.own({
    describe: () => "--- a server of another kind",
    close: () => closeServer(server),
  });
  return port;
}
