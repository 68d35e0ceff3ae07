import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { createWorld, discoveryFiles, serve, start, useExecutable, type World } from "../process-fixture.ts";

useExecutable();

async function run(world: World, args: readonly string[], cwd = world.app) {
  const called = start(world, args, { cwd });
  const code = await called.end;
  return { code, text: called.text };
}

const statusOf = async (world: World) => {
  const run = start(world, ["status", "--json"]);
  await run.end;
  const { companions } = JSON.parse(run.text);
  return companions.map(({ roots, health }: { roots: string[]; health: { paused: boolean } }) => [
    ...roots,
    health.paused,
  ]);
};

test("pause holds for all companions of the folder, over a restart, until resume", async () => {
  const world = createWorld();
  const other = path.join(world.folder, "other");
  mkdirSync(other);
  const first = await serve(world);
  await serve(world, [other]);
  const paused = await run(world, ["pause"]);
  expect(paused).toEqual({
    code: 0,
    text: `Review page  ${world.app}  paused: agents are sent nothing of what you look at\n`,
  });
  expect(await statusOf(world)).toEqual(
    expect.arrayContaining([
      [world.app, true],
      [other, false],
    ]),
  );
  await first.until(/Sharing +paused/);
  first.child.kill("SIGTERM");
  await first.end;
  const second = await serve(world);
  expect((await run(world, ["status"])).text).toContain("sharing is paused (ide-companion resume)");
  await second.until(/Sharing +paused/);
  const resumed = await run(world, ["resume", "--json"]);
  expect(resumed.code).toBe(0);
  expect(JSON.parse(resumed.text)).toMatchObject([{ roots: [world.app], paused: false }]);
  await second.until(/Sharing +resumed/);
});

test("pause --all and resume --all are for every companion, whatever folder", async () => {
  const world = createWorld();
  const other = path.join(world.folder, "other");
  mkdirSync(other);
  await serve(world);
  await serve(world, [other]);
  const all = await run(world, ["pause", "--all", "--json"], world.home);
  expect(all.code).toBe(0);
  expect((await statusOf(world)).map(([, paused]: [string, boolean]) => paused)).toEqual([true, true]);
  expect((await run(world, ["resume", "--all"], world.home)).code).toBe(0);
  expect((await statusOf(world)).map(([, paused]: [string, boolean]) => paused)).toEqual([false, false]);
});

test("pause says so where no companion serves the folder, and resume takes back what an ended one has left", async () => {
  const world = createWorld();
  expect(await run(world, ["pause"])).toMatchObject({
    code: 1,
    text: expect.stringContaining("no companion serves"),
  });
  expect(await run(world, ["pause", "--json"])).toEqual({ code: 1, text: "[]\n" });
  const first = await serve(world);
  expect((await run(world, ["pause"])).code).toBe(0);
  first.child.kill("SIGTERM");
  await first.end;
  expect((await run(world, ["resume"])).code).toBe(1);
  await serve(world);
  expect(await statusOf(world)).toEqual([[world.app, false]]);
});

test("a configuration file counts for what is served, and one that is broken keeps everything from agents", async () => {
  const world = createWorld();
  const folder = path.join(world.home, ".config", "ide-companion");
  mkdirSync(folder, { recursive: true });
  const config = path.join(folder, "config.json");
  writeFileSync(config, '{ "exclude": "*.log" }');
  const broken = await serve(world);
  await broken.until(
    /config\.json: exclude must be a list of texts, got "\*\.log"\. Until that is put right/,
  );
  broken.child.kill("SIGTERM");
  await broken.end;
  writeFileSync(config, '{ "agentAccept": false }');
  const run = await serve(world);
  const [file = ""] = discoveryFiles(world).filter((name) => name.includes("gemini-ide-server"));
  const { port, authToken } = JSON.parse(readFileSync(file, "utf8"));
  const { WireClient } = await import("../../testing/wire-client.ts");
  const cli = await new WireClient(port, authToken).initialize();
  const { message } = await cli.request("tools/list", {});
  expect(JSON.stringify(message.result)).not.toContain("acceptDiff");
  expect(run.text).not.toContain("config.json");
});
