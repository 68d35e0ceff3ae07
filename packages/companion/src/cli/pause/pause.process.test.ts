import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  createSandbox,
  discoveryFiles,
  type Sandbox,
  serve,
  start,
  useExecutable,
} from "../process-fixture.ts";

useExecutable();

async function run(sandbox: Sandbox, args: readonly string[], cwd = sandbox.app) {
  const called = start(sandbox, args, { cwd });
  const code = await called.end;
  return { code, text: called.text };
}

const statusOf = async (sandbox: Sandbox) => {
  const run = start(sandbox, ["status", "--json"]);
  await run.end;
  const { companions } = JSON.parse(run.text);
  return companions.map(({ roots, health }: { roots: string[]; health: { paused: boolean } }) => [
    ...roots,
    health.paused,
  ]);
};

test("pause holds for all companions of the folder, over a restart, until resume", async () => {
  const sandbox = createSandbox();
  const other = path.join(sandbox.folder, "other");
  mkdirSync(other);
  const first = await serve(sandbox);
  await serve(sandbox, [other]);
  const paused = await run(sandbox, ["pause"]);
  expect(paused).toEqual({
    code: 0,
    text: `Review page  ${sandbox.app}  paused: agents are sent nothing of what you look at\n`,
  });
  expect(await statusOf(sandbox)).toEqual(
    expect.arrayContaining([
      [sandbox.app, true],
      [other, false],
    ]),
  );
  await first.until(/Sharing +paused/);
  first.child.kill("SIGTERM");
  await first.end;
  const second = await serve(sandbox);
  expect((await run(sandbox, ["status"])).text).toContain("sharing is paused (ide-companion resume)");
  await second.until(/Sharing +paused/);
  expect(await run(sandbox, ["resume"])).toEqual({
    code: 0,
    text: `Review page  ${sandbox.app}  resumed\n`,
  });
  await second.until(/Sharing +resumed/);
});

test("pause --all and resume --all are for every companion, whatever folder", async () => {
  const sandbox = createSandbox();
  const other = path.join(sandbox.folder, "other");
  mkdirSync(other);
  await serve(sandbox);
  await serve(sandbox, [other]);
  const all = await run(sandbox, ["pause", "--all"], sandbox.home);
  expect(all.code).toBe(0);
  expect((await statusOf(sandbox)).map(([, paused]: [string, boolean]) => paused)).toEqual([true, true]);
  expect((await run(sandbox, ["resume", "--all"], sandbox.home)).code).toBe(0);
  expect((await statusOf(sandbox)).map(([, paused]: [string, boolean]) => paused)).toEqual([false, false]);
});

test("pause says so where no companion serves the folder, and resume reverts what an ended one has left", async () => {
  const sandbox = createSandbox();
  expect(await run(sandbox, ["pause"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("no companion serves"),
  });
  const first = await serve(sandbox);
  expect((await run(sandbox, ["pause"])).code).toBe(0);
  first.child.kill("SIGTERM");
  await first.end;
  expect((await run(sandbox, ["resume"])).code).toBe(1);
  await serve(sandbox);
  expect(await statusOf(sandbox)).toEqual([[sandbox.app, false]]);
});

test("a configuration file counts for what is served, and one that is broken keeps everything from agents", async () => {
  const sandbox = createSandbox();
  const folder = path.join(sandbox.home, ".config", "ide-companion");
  mkdirSync(folder, { recursive: true });
  const config = path.join(folder, "config.json");
  writeFileSync(config, '{ "exclude": "*.log" }');
  const broken = await serve(sandbox);
  await broken.until(
    /config\.json: exclude must be a list of texts, got "\*\.log"\. Until that is put right/,
  );
  broken.child.kill("SIGTERM");
  await broken.end;
  writeFileSync(config, '{ "agentAccept": false }');
  const run = await serve(sandbox);
  const [file = ""] = discoveryFiles(sandbox).filter((name) => name.includes("gemini-ide-server"));
  const { port, authToken } = JSON.parse(readFileSync(file, "utf8"));
  const { WireClient } = await import("../../../../testkit/src/fake-cli/gemini-family.ts");
  const cli = await new WireClient(port, authToken).initialize();
  const { message } = await cli.request("tools/list", {});
  expect(JSON.stringify(message.result)).not.toContain("acceptDiff");
  expect(run.text).not.toContain("config.json");
});
