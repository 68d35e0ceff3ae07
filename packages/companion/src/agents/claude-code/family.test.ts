import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ClaudeClient, claudeLock } from "../../../../testkit/src/fake-cli/claude-code.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { type ServingOptions, startServing } from "../../companion.ts";
import { privateHost, startCore } from "../../testing/core.ts";
import { MemoryEditor } from "../../testing/memory-editor.ts";
import { claude } from "./claude.ts";

/** A companion that the test may end before its end. */
async function start(options: Partial<ServingOptions>) {
  const editor = new MemoryEditor();
  const companion = await startServing({ editor, roots: [], ...options });
  onTestFinished(() => companion.close());
  const { port, token, file } = claudeLock(companion);
  return { companion, port, token, file };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Starts over where another test has taken a port that a companion has freed for the one after it. */
async function restart<Pairs extends readonly (readonly [former: Started, again: Started])[]>(
  attempt: () => Promise<Pairs>,
): Promise<Pairs> {
  for (let tries = 1; ; tries += 1) {
    const pairs = await attempt();
    if (tries === 3 || pairs.every(([former, again]) => former.port === again.port)) return pairs;
  }
}

describe("the lock file", () => {
  test("is private, and says where the companion is, by real paths", async () => {
    const real = privateFolder();
    const link = join(privateFolder(), "link");
    symlinkSync(real, link);
    const { companion, host } = await startCore({ roots: [link, "/not/there"] });
    const { file, content, port } = claudeLock(companion);
    expect(file).toBe(join(host.home, ".claude", "ide", `${port}.lock`));
    expect(content).toEqual({
      pid: process.pid,
      workspaceFolders: [realpathSync(link), "/not/there"],
      ideName: "Memory",
      transport: "ws",
      runningInWindows: false,
      authToken: expect.stringMatching(/^[\w-]{43}$/),
      serverPid: process.pid,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(host.home, ".claude", "ide")).mode & 0o777).toBe(0o700);
    expect(companion.env.CLAUDE_CODE_SSE_PORT).toBe(String(port));
  });

  test("is one for all folders, also when they change, and gone at the end", async () => {
    const { companion, host } = await startCore();
    const { file, port } = claudeLock(companion);
    await companion.setRoots(["/one", "/two"]);
    expect(readdirSync(join(host.home, ".claude", "ide"))).toEqual([`${port}.lock`]);
    expect(claudeLock(companion).content.workspaceFolders).toEqual(["/one", "/two"]);
    await companion.close();
    expect(existsSync(file)).toBe(false);
  });

  test("of a companion of ours that is gone is swept from both folders, and nobody else's", async () => {
    const host = { ...privateHost() };
    const named = privateFolder();
    Object.assign(host, { env: { CLAUDE_CONFIG_DIR: named } });
    const folders = [join(host.home, ".claude", "ide"), join(named, "ide")];
    const dead = 2 ** 31 - 2;
    for (const folder of folders) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "4001.lock"), JSON.stringify({ pid: dead, serverPid: dead }));
      writeFileSync(join(folder, "4002.lock"), JSON.stringify({ pid: dead }));
      writeFileSync(join(folder, "notes.txt"), "");
    }
    const { port } = await start({ host });
    const [own, other] = folders.map((folder) => readdirSync(folder).sort());
    expect(own).toEqual(["4002.lock", `${port}.lock`, "notes.txt"].sort());
    expect(other).toEqual(["4002.lock", "notes.txt"]);
    expect(claude.discoveryFolders({ ...host, env: {} })).toHaveLength(1);
  });
});

describe("after a restart", () => {
  test("a CLI connects again by the same port and token", async () => {
    const [[first, second]] = await restart(async () => {
      const options = { host: privateHost(), roots: [privateFolder()] };
      const former = await start(options);
      const client = await ClaudeClient.connect(former);
      await former.companion.close();
      expect(existsSync(former.file)).toBe(false);
      await vi.waitFor(() => expect(client.socket.readyState).toBe(client.socket.CLOSED));
      return [[former, await start(options)]] as const;
    });
    expect(second.port).toBe(first.port);
    const again = await ClaudeClient.connect(first);
    expect(await again.ask("ping", {})).toMatchObject({ result: {} });
  });

  test("what is remembered is private", async () => {
    const host = privateHost();
    await start({ host });
    const folder = join(host.home, ".local", "state", "ide-companion", "addresses");
    const files = readdirSync(folder).map((name) => join(folder, name));
    expect(files).toHaveLength(1);
    expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test("another folder, and a second companion of the same one, have their own", async () => {
    const pairs = await restart(async () => {
      const options = { host: privateHost(), roots: [privateFolder()] };
      const [first, second] = [await start(options), await start(options)];
      const elsewhere = await start({ ...options, roots: [privateFolder()] });
      expect(new Set([first, second, elsewhere].map(({ port }) => port)).size).toBe(3);
      expect(new Set([first, second, elsewhere].map(({ token }) => token)).size).toBe(3);
      for (const { companion } of [second, first]) await companion.close();
      return [
        [first, await start(options)],
        [second, await start(options)],
      ] as const;
    });
    expect(pairs.map(([, { port }]) => port)).toEqual(pairs.map(([{ port }]) => port));
    expect(pairs.map(([, { token }]) => token)).toEqual(pairs.map(([{ token }]) => token));
  });

  test("a port that somebody else has taken takes the token with it", async () => {
    const [host, root] = [privateHost(), privateFolder()];
    const first = await start({ host, roots: [root] });
    await first.companion.close();
    const stranger = createServer().listen(first.port, "127.0.0.1");
    onTestFinished(() => void stranger.close());
    await vi.waitFor(() => expect(stranger.listening).toBe(true));
    const second = await start({ host, roots: [root] });
    expect(second.port).not.toBe(first.port);
    expect(second.token).not.toBe(first.token);
  });

  test("a token is not used again a minute after its companion has ended, its port is", async () => {
    const [[first, second]] = await restart(async () => {
      const options = { host: privateHost(), roots: [privateFolder()] };
      const former = await start(options);
      await former.companion.close();
      const now = Date.now();
      vi.spyOn(Date, "now").mockImplementation(() => now + 61_000);
      onTestFinished(() => void vi.restoreAllMocks());
      return [[former, await start(options)]] as const;
    });
    expect(second.port).toBe(first.port);
    expect(second.token).not.toBe(first.token);
  });
});
