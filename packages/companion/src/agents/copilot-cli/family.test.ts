import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { CopilotClient, copilotLock } from "../../../../testkit/src/fake-cli/copilot-cli.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { privateHost, startCore } from "../../testing/core.ts";
import { copilotFamily } from "./family.ts";

const families = [copilotFamily];

/** A process id that nobody has any more. */
async function deadPid(): Promise<number> {
  const child = spawn("true");
  await once(child, "exit");
  return child.pid ?? 0;
}

describe("the lock file", () => {
  test("is private, and names a socket that is listening already, by real paths", async () => {
    const real = privateFolder();
    const link = join(privateFolder(), "link");
    symlinkSync(real, link);
    const { companion, host } = await startCore({ families, roots: [link, "/not/there"] });
    const { file, content, socketPath, headers } = copilotLock(companion);
    expect(dirname(file)).toBe(join(host.home, ".copilot", "ide"));
    expect(content).toEqual({
      socketPath: expect.stringMatching(/copilot\.sock$/),
      scheme: "unix",
      headers: { Authorization: expect.stringMatching(/^Bearer [\w-]{43}$/) },
      pid: process.pid,
      ideName: "Memory",
      timestamp: expect.any(Number),
      workspaceFolders: [realpathSync(link), "/not/there"],
    });
    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect([file, dirname(file), socketPath, dirname(socketPath)].map(modeOf)).toEqual([
      0o600, 0o700, 0o600, 0o700,
    ]);
    const client = await CopilotClient.connect({ socketPath, headers });
    expect(client.isListening).toBe(true);
    expect(companion.env).toEqual({});
  });

  test("lies where COPILOT_HOME says, and nowhere else", async () => {
    const folder = privateFolder();
    const host = { ...privateHost(), env: { COPILOT_HOME: folder, XDG_STATE_HOME: privateFolder() } };
    const { companion } = await startCore({ families, host });
    expect(dirname(copilotLock(companion).file)).toBe(join(folder, "ide"));
    expect(companion.discoveryFiles).toHaveLength(1);
  });

  test("is rewritten in place when folders change: a CLI takes another file for our end", async () => {
    const { companion } = await startCore({ families });
    const before = copilotLock(companion);
    const { ino } = statSync(before.file);
    await companion.setRoots(["/one", "/two"]);
    const after = copilotLock(companion);
    expect(after.content).toEqual({ ...before.content, workspaceFolders: ["/one", "/two"] });
    await companion.setRoots([]);
    expect(copilotLock(companion).content.workspaceFolders).toEqual([]);
    expect(statSync(before.file).ino).toBe(ino);
    expect(readdirSync(dirname(before.file))).toHaveLength(1);
  });

  test("says that the user trusts the folders where the editor does, and when that changes", async () => {
    let isTrusted = false;
    const { companion, editor } = await startCore({ families, trusted: () => isTrusted });
    expect(copilotLock(companion).content).toMatchObject({ isTrusted: false });
    isTrusted = true;
    editor.look({ files: [] });
    await eventually(() => expect(copilotLock(companion).content).toMatchObject({ isTrusted: true }));
  });

  test("and the socket with its folder are gone at the end, the lock first", async () => {
    const { companion } = await startCore({ families });
    const { file, socketPath } = copilotLock(companion);
    const client = await CopilotClient.connect(copilotLock(companion));
    await companion.close();
    expect(existsSync(file)).toBe(false);
    expect(existsSync(dirname(socketPath))).toBe(false);
    await eventually(() => expect(client.isListening).toBe(false));
  });

  test("of any companion that is gone is swept, and what cannot be read is not", async () => {
    const host = privateHost();
    const folder = join(host.home, ".copilot", "ide");
    mkdirSync(folder, { recursive: true });
    const pid = await deadPid();
    writeFileSync(join(folder, "theirs.lock"), JSON.stringify({ pid, socketPath: "/x" }));
    writeFileSync(join(folder, "alive.lock"), JSON.stringify({ pid: process.pid }));
    writeFileSync(join(folder, "damaged.lock"), '{"pid"');
    writeFileSync(join(folder, "notes.txt"), JSON.stringify({ pid }));
    const left = join(host.tmp, `ide-companion-${pid}-abcdef12`);
    const alive = join(host.tmp, `ide-companion-${process.ppid}-abcdef12`);
    for (const one of [left, alive]) mkdirSync(one);
    writeFileSync(join(left, "copilot.sock"), "");
    const { companion } = await startCore({ families, host });
    const own = copilotLock(companion).file.slice(folder.length + 1);
    expect(readdirSync(folder).sort()).toEqual(["alive.lock", "damaged.lock", "notes.txt", own].sort());
    expect([left, alive].map(existsSync)).toEqual([false, true]);
  });

  test("cannot be written: the others are served, and no socket is left", async () => {
    const host = privateHost();
    mkdirSync(host.home);
    writeFileSync(join(host.home, ".copilot"), "");
    await expect(startCore({ families, host })).rejects.toThrow(".copilot");
    expect(readdirSync(host.tmp).filter((name) => name.startsWith("ide-companion"))).toEqual([]);
  });

  test("is put back when somebody deletes it", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const { companion } = await startCore({ families });
    const { file } = copilotLock(companion);
    const text = readFileSync(file, "utf8");
    execFileSync("rm", [file]);
    vi.advanceTimersByTime(5000);
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

test("a socket that somebody deletes is put back, and who is connected hears nothing of it", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { companion, editor, root } = await startCore({ families });
  const { socketPath, ...lock } = copilotLock(companion);
  const client = await CopilotClient.connect({ ...lock, socketPath });
  const path = join(root, "a.txt");
  const decided = client.openDiff(path, "new");
  await eventually(() => editor.find(path));
  execFileSync("rm", ["-r", dirname(socketPath)]);
  vi.advanceTimersByTime(5000);
  await eventually(() => expect(existsSync(socketPath)).toBe(true));
  expect([socketPath, dirname(socketPath)].map((one) => statSync(one).mode & 0o777)).toEqual([0o600, 0o700]);
  await CopilotClient.connect({ ...lock, socketPath });
  expect(await client.call("update_session_name", { name: "again" })).toEqual({ success: true });
  editor.find(path).decide({ kind: "accepted" });
  expect(await decided).toMatchObject({ result: "SAVED" });
  expect(client.isListening).toBe(true);
  await companion.close();
  expect(existsSync(dirname(socketPath))).toBe(false);
  await eventually(() => expect(client.isListening).toBe(false));
});

test("a temporary folder whose path is too long for a socket is a sentence for the user", async () => {
  const host = { ...privateHost(), tmp: join(privateFolder(), "a".repeat(100)) };
  await expect(startCore({ families, host })).rejects.toThrow("the path of a socket has at most");
});

test("two companions have a socket each", async () => {
  const host = privateHost();
  const [one, other] = [await startCore({ families, host }), await startCore({ families, host })];
  expect(copilotLock(one.companion).socketPath).not.toBe(copilotLock(other.companion).socketPath);
  await one.companion.close();
  await CopilotClient.connect(copilotLock(other.companion));
});
