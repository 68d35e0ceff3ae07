import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createWorld, serve, start, useExecutable, type World } from "../process-fixture.ts";

useExecutable();

describe("run", () => {
  /** A stand-in for Gemini CLI that shows what it was given. */
  function install(world: World, script: string): void {
    const file = path.join(world.bin, "gemini");
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }

  test("starts the CLI with its own arguments, bound to this folder's companion, and ends as it does", async () => {
    const world = createWorld();
    install(world, 'echo "$GEMINI_CLI_IDE_SERVER_PORT|$GEMINI_CLI_IDE_PID|$NO_PROXY|$1|$2"; exit 7');
    const companion = await serve(world);
    const port = /Port +(\d+)/.exec(companion.text)?.[1];
    const run = start(world, ["run", "gemini", "--", "-p", "two words"], { env: { HTTP_PROXY: "http://p" } });
    expect(await run.end).toBe(7);
    expect(run.text).toBe(`${port}|${companion.child.pid}|127.0.0.1,localhost|-p|two words\n`);
  });

  test.each(["sub", "link", "other"])("finds the companion from %s", async (place) => {
    const world = createWorld();
    const other = path.join(world.folder, "second");
    mkdirSync(path.join(world.app, "sub"));
    mkdirSync(other);
    symlinkSync(path.join(world.app, "sub"), path.join(world.folder, "link"));
    install(world, "exit 7");
    await serve(world, [".", other]);
    const cwd =
      { sub: path.join(world.app, "sub"), link: path.join(world.folder, "link"), other }[place] ?? "";
    expect(await start(world, ["run", "gemini"], { cwd }).end).toBe(7);
  });

  test("hands signals on, and ends by the CLI's signal", async () => {
    const world = createWorld();
    const script = path.join(world.folder, "waits.mjs");
    writeFileSync(
      script,
      'process.on("SIGTERM", () => process.exit(9)); setInterval(() => {}, 1e6); console.log("ready");',
    );
    install(world, `exec node ${script}`);
    await serve(world);
    const run = start(world, ["run", "gemini"]);
    await run.until(/ready/);
    run.child.kill("SIGTERM");
    expect(await run.end).toBe(9);

    install(world, "kill -KILL $$");
    expect(await start(world, ["run", "gemini"]).end).toBe(137);
  });

  test("takes the newest of several companions, and says so", async () => {
    const world = createWorld();
    install(world, 'echo "$GEMINI_CLI_IDE_SERVER_PORT"');
    const older = await serve(world);
    const newer = await serve(world);
    const [first, second] = [older, newer].map((run) => /Port +(\d+)/.exec(run.text)?.[1]);
    const run = start(world, ["run", "gemini"]);
    expect(await run.end).toBe(0);
    expect(run.text).toContain(
      `2 companions serve this folder. Using Review page on port ${second}, not Review page on port ${first}.`,
    );
    expect(run.text).toMatch(new RegExp(`^${second}$`, "m"));

    const bound = start(world, ["run", "gemini"], { env: { GEMINI_CLI_IDE_SERVER_PORT: first ?? "" } });
    await bound.end;
    expect(bound.text).toMatch(new RegExp(`^${first}$`, "m"));
  });

  test("without a companion says how to start one, and which folders others serve", async () => {
    const world = createWorld();
    await serve(world);
    const elsewhere = path.join(world.folder, "it's here");
    mkdirSync(elsewhere);
    const run = start(world, ["run", "gemini"], { cwd: elsewhere });
    expect(await run.end).toBe(1);
    expect(run.text).toContain(`error: no companion serves ${elsewhere} for Gemini CLI`);
    expect(run.text).toContain(`ide-companion '${path.join(world.folder, "it'\\''s here")}'`);
    expect(run.text).toMatch(new RegExp(`Review page on port \\d+ {2}${world.app}`));
  });

  test("says how to install a CLI that is missing", async () => {
    const world = createWorld();
    await serve(world);
    const run = start(world, ["run", "qwen"], { env: { PATH: world.bin } });
    expect(await run.end).toBe(127);
    expect(run.text).toContain("Qwen Code is not installed: there is no qwen in your PATH");
    expect(run.text).toContain("npm install --global @qwen-code/qwen-code");
  });
});
