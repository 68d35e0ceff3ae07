import { mkdirSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { askAsCodex, codexSocket, contextOf } from "../../../../testkit/src/fake-cli/codex-cli.ts";
import { createSandbox, type Sandbox, serve, useExecutable } from "../../cli/process-fixture.ts";

useExecutable();

const nothing = { activeFile: null, openTabs: [] };

/** Three companions in three processes, each with another folder; the first is the router. */
async function startThree(sandbox: Sandbox) {
  const folders = ["one", "two", "three"].map((name) => path.join(realpathSync(sandbox.folder), name));
  const companions = [];
  for (const folder of folders) {
    mkdirSync(folder);
    companions.push(await serve(sandbox, [folder]));
  }
  const ask = (folder: string) =>
    askAsCodex(codexSocket(sandbox), folder, onTestFinished).then(contextOf, String);
  return { folders, companions, ask };
}

test("three companions answer each for its folder, and go on when the router is killed", async () => {
  const { folders, companions, ask } = await startThree(createSandbox());
  // One that has just started takes its seat a moment later.
  for (const folder of folders) await eventually(async () => expect(await ask(folder)).toEqual(nothing));
  const [router] = companions;
  router?.child.kill("SIGKILL");
  await router?.end;
  const [first = "", ...left] = folders;
  for (const folder of left) await eventually(async () => expect(await ask(folder)).toEqual(nothing));
  // Both take part by now, so that nobody is asked in vain.
  await eventually(async () => expect(await ask(first)).toBe("no-client-found"));
  for (const { text } of companions) expect(text).not.toMatch(/Warning/);
});

test("a router that stops, and does not end, is replaced, and takes part again", async () => {
  vi.setConfig({ testTimeout: 180_000 });
  const { folders, companions, ask } = await startThree(createSandbox());
  const [router] = companions;
  const [first = "", ...left] = folders;
  router?.child.kill("SIGSTOP");
  for (const folder of left) {
    await vi.waitFor(async () => expect(await ask(folder)).toEqual(nothing), { timeout: 60_000 });
  }
  expect(await ask(first)).toBe("no-client-found");
  router?.child.kill("SIGCONT");
  for (const folder of folders) {
    await eventually(async () => expect(await ask(folder)).toEqual(nothing));
  }
});

test("a socket that somebody has deleted or put in its place is found again within seconds", async () => {
  const sandbox = createSandbox();
  const { folders, ask } = await startThree(sandbox);
  rmSync(path.dirname(codexSocket(sandbox)), { recursive: true });
  for (const folder of folders) {
    await eventually(async () => expect(await ask(folder)).toEqual(nothing));
  }
});

test("companions that start at the same moment share the socket", async () => {
  const sandbox = createSandbox();
  mkdirSync(path.dirname(codexSocket(sandbox)), { recursive: true, mode: 0o755 });
  const folders = ["one", "two", "three"].map((name) => path.join(realpathSync(sandbox.folder), name));
  for (const folder of folders) {
    mkdirSync(folder);
  }
  await Promise.all(folders.map((folder) => serve(sandbox, [folder])));
  for (const folder of folders) {
    await eventually(async () =>
      expect(await askAsCodex(codexSocket(sandbox), folder, onTestFinished).then(contextOf, String)).toEqual(
        nothing,
      ),
    );
  }
});
