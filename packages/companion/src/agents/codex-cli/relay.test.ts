import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path, { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import {
  askAsCodex,
  codexSocket,
  contextOf,
  formerCodexSocket,
} from "../../../../testkit/src/fake-cli/codex-cli.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { createPathMap } from "../../files/path-map.ts";
import { startCore } from "../../testing/core.ts";
import { startFarMachine, toFinding } from "../../testing/far-machine.ts";
import { connectToLocalSocket } from "../../transport/local-socket.ts";
import { claudeCodeFamily } from "../claude-code/family.ts";
import { codexFamily } from "./family.ts";
import { startRelay } from "./relay.ts";

const there = "/srv/app";
const nothing = { activeFile: null, openTabs: [] };

/** A companion here, and the relay to another machine. */
async function start(families = [codexFamily]) {
  const core = await startCore({ families });
  const troubles: string[] = [];
  const folder = privateFolder();
  const relay = await startRelay({
    companion: toFinding(core),
    host: core.host,
    folder,
    map: createPathMap([{ here: core.root, there }], path.sep),
    onTrouble: (trouble) => troubles.push(trouble),
  });
  onTestFinished(() => relay?.close());
  return { ...core, relay, folder, troubles };
}

const ask = async (socket: string, folder: string) =>
  contextOf(await askAsCodex(socket, folder, onTestFinished));

test("a CLI on another machine has the selection here, under the names that files have there", async () => {
  const { relay, editor, root } = await start();
  const far = startFarMachine();
  await relay?.announce(far, [there]);
  const file = join(root, "src", "a.txt");
  mkdirSync(dirname(file));
  writeFileSync(file, "line one\n");
  const outside = join(privateFolder(), "b.txt");
  writeFileSync(outside, "secret\n");
  const selection = { start: { line: 1, character: 1 }, end: { line: 1, character: 5 } };
  const files = [
    { path: file, focusedAt: 2, selectedText: root, selection },
    { path: outside, focusedAt: 1 },
  ];
  editor.look({ files, activePath: file });
  const named = { label: "a.txt", path: "src/a.txt", fsPath: `${there}/src/a.txt` };
  for (const socket of [codexSocket(far.host), formerCodexSocket(far.host)]) {
    await eventually(async () =>
      expect(await ask(socket, there)).toMatchObject({
        activeFile: { ...named, activeSelectionContent: root },
        openTabs: [named],
      }),
    );
  }
  const above = await ask(codexSocket(far.host), "/srv");
  expect(above).toMatchObject({ activeFile: { ...named, path: "app/src/a.txt" } });
  expect(await ask(codexSocket(far.host), `${there}/src`)).toMatchObject({ activeFile: { path: "a.txt" } });
  expect(await ask(codexSocket(far.host), "/srv/other")).toBe("no-client-found");

  editor.look({ files, activePath: outside });
  await eventually(async () =>
    expect(await ask(codexSocket(far.host), there)).toMatchObject({ activeFile: null }),
  );
  await relay?.announce(far, ["/srv/other"]);
  expect(await ask(codexSocket(far.host), there)).toBe("no-client-found");
});

test("a companion on another machine and the relay share the socket there, in either order", async () => {
  const { relay } = await start();
  const first = await startCore({ families: [codexFamily] });
  const far = startFarMachine(first.host);
  await relay?.announce(far, [there]);
  expect(await ask(codexSocket(first.host), there)).toEqual(nothing);
  expect(await ask(codexSocket(first.host), first.root)).toEqual(nothing);
  await first.companion.close();
  await eventually(async () => expect(await ask(codexSocket(first.host), there)).toEqual(nothing));
  const later = await startCore({ families: [codexFamily], host: first.host });
  expect(await ask(codexSocket(first.host), later.root)).toEqual(nothing);
  expect(await ask(codexSocket(first.host), there)).toEqual(nothing);
});

test("a socket that a killed program has left there is replaced", async () => {
  const { relay } = await start();
  const far = startFarMachine();
  const socket = codexSocket(far.host);
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  const script = `require("net").createServer().listen(${JSON.stringify(socket)}, () => process.kill(process.pid, "SIGKILL"))`;
  spawnSync(process.execPath, ["-e", script]);
  await relay?.announce(far, [there]);
  expect(await ask(socket, there)).toEqual(nothing);
});

test("a connection that breaks while it is shared leaves no socket here, which would keep forward from ending", async () => {
  const { relay, folder } = await start();
  const far = {
    ...startFarMachine(),
    async listen(_: string, here: string) {
      linkSync(here, `${here}.test`); // reaches the server, also when the name is gone
      throw new Error("the connection has ended");
    },
  };
  await expect(relay?.announce(far, [there])).rejects.toThrow("the connection has ended");
  const links = readdirSync(folder);
  expect(links.sort()).toEqual(["codex-1.test", "codex-former-1.test"]);
  for (const link of links) await expect(connectToLocalSocket(join(folder, link))).rejects.toThrow("REFUSED");
});

test("the next connection has the sockets of its machine", async () => {
  const { relay, troubles } = await start();
  const first = startFarMachine();
  await relay?.announce(first, [there]);
  first.end();
  for (const socket of [codexSocket(first.host), formerCodexSocket(first.host)])
    rmSync(socket, { force: true });
  const second = startFarMachine();
  await relay?.announce(second, [there]);
  expect(await ask(codexSocket(second.host), there)).toEqual(nothing);
  expect(troubles).toEqual([]);
});

test("a companion that does not serve Codex CLI is not shared with it", async () => {
  expect((await start([claudeCodeFamily])).relay).toBeUndefined();
});
