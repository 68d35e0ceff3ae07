import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { askAsCodex, codexSocket } from "../../../../testkit/src/fake-cli/codex-cli.ts";
import { createSandbox, type Sandbox, serve, start, useExecutable } from "../../cli/process-fixture.ts";

useExecutable();

async function call(sandbox: Sandbox, ...args: readonly string[]) {
  const run = start(sandbox, args);
  const code = await run.end;
  return { code, text: run.text };
}

test("status says when the CLI has asked, which is no connection", async () => {
  const sandbox = createSandbox();
  await serve(sandbox);
  expect((await call(sandbox, "status")).text).toContain("no CLI is connected");
  await askAsCodex(codexSocket(sandbox), sandbox.app, onTestFinished);
  const { text } = await call(sandbox, "status");
  expect(text).toMatch(/^ {2}Codex CLI asked for the context \d+ s ago$/m);
  expect(text).not.toContain("no CLI is connected");
});

test("run starts the CLI where a companion serves the folder, and reminds of its command", async () => {
  const sandbox = createSandbox();
  const program = path.join(sandbox.bin, "codex");
  writeFileSync(program, '#!/bin/sh\necho "$1|$GEMINI_CLI_IDE_SERVER_PORT"; exit 7\n');
  chmodSync(program, 0o755);
  expect(await call(sandbox, "run", "codex")).toMatchObject({
    code: 1,
    text: expect.stringContaining("no companion serves "),
  });
  await serve(sandbox);
  expect(await call(sandbox, "run", "codex", "--", "hello")).toEqual({
    code: 7,
    text: "Codex CLI asks your editor after /ide\nhello|\n",
  });
});

test("of a companion for Codex CLI alone, run names the port by which our own commands find it", async () => {
  const sandbox = createSandbox();
  const first = await serve(sandbox, ["--agent", "codex"]);
  const [, port = ""] = /"port": (\d+)/.exec(ownFileOf(sandbox, first.child.pid)) ?? [];
  expect(Number(port)).toBeGreaterThan(0);
  // With the same rules it would open the page of the first.
  await serve(sandbox, ["--agent", "codex", "--no-agent-accept"]);
  const program = path.join(sandbox.bin, "codex");
  writeFileSync(program, '#!/bin/sh\necho "port $IDE_COMPANION_PORT"\n', { mode: 0o755 });
  const bound = { IDE_COMPANION_PORT: port };
  const run = start(sandbox, ["run", "codex"], { env: bound });
  expect(await run.end).toBe(0);
  expect(run.text).toContain(`\nport ${port}\n`);
  // Without the variable the newer one is chosen.
  expect((await call(sandbox, "run", "codex")).text).not.toContain(`port ${port}\n`);
});

/** What a companion tells our own commands. */
function ownFileOf({ home }: Sandbox, pid: number | undefined): string {
  const folder = path.join(home, ".local", "state", "ide-companion", "companions");
  const name = readdirSync(folder).find((each) => each.startsWith(`${pid}-`)) ?? "";
  return readFileSync(path.join(folder, name), "utf8");
}

test("install has nothing to set, and says what to type, if it is asked by name", async () => {
  const sandbox = createSandbox();
  writeFileSync(path.join(sandbox.bin, "codex"), "", { mode: 0o755 });
  writeFileSync(path.join(sandbox.bin, "kak"), "", { mode: 0o755 });
  expect((await call(sandbox, "install", "--yes", "kakoune")).text).not.toContain("Codex CLI");
  const { code, text } = await call(sandbox, "install", "--yes", "codex");
  expect(code).toBe(0);
  expect(text).toContain("Codex CLI needs no setting.");
  expect(text).toContain("Type /ide in Codex CLI, in every run");
});
