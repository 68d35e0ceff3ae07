import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { partsOfNpm } from "../../scripts/set-up/npm-packages.mjs";
import { within } from "../conformance/kit-run.ts";
import { companionScript } from "../harness/installed.ts";
import { startTerminal } from "../harness/terminal.ts";
import { isNewer, missingFor, nodeOf, startWindows, versions, type WindowsNode } from "./wine.ts";

const folder = "C:\\My Shop";

describe.each(versions)("on Node %s", { timeout: within }, (version) => {
  const absent = missingFor(version);
  let sandbox: Sandbox;
  let node: WindowsNode;

  beforeAll(async () => {
    if (absent !== undefined) return;
    sandbox = await createSandbox();
    node = await startWindows(sandbox, version);
  }, within);
  beforeEach(({ skip }) => skip(absent !== undefined, absent));
  afterAll(() => sandbox?.close(), within);

  test("the executable serves a folder, is found, and ends with its input", async () => {
    const result = JSON.parse(await node.run("session.mjs", companionScript));
    expect(result.version).toEqual({ code: 0, said: "0.1.0\n" });
    expect(result.page).toBe(303);
    expect(result.files.map((path: string) => path.replaceAll(/[\da-f-]{4,}(?=\.)/g, "N"))).toEqual([
      expect.stringMatching(
        /^C:\\users\\\w+\\(AppData\\Local\\)?Temp\\gemini\\ide\\gemini-ide-serverN\.json$/,
      ),
      expect.stringMatching(/^C:\\users\\\w+\\\.qwen\\ide\\N\.lock$/),
      expect.stringMatching(/^C:\\users\\\w+\\\.claude\\ide\\N\.lock$/),
      expect.stringMatching(/^C:\\users\\\w+\\\.copilot\\ide\\N\.lock$/),
    ]);
    expect(result.status.said).toContain(`Review page  ${folder}`);
    // The companion is found, and the CLI is not.
    expect([result.started.code, result.lowerCase.code]).toEqual([127, 127]);
    // Over HTTP, a WebSocket and named pipes. No CLI is installed there, which makes the doctor answer 1.
    const taken = /✓ Connection +127\.0\.0\.1:\d+ answers, and takes the token/;
    expect(result.doctor.said).toMatch(taken);
    expect(result.claude.said).toMatch(taken);
    expect(result.copilot.said).toMatch(/✓ Connection +\\\\\.\\pipe\\\S+ answers/);
    expect(result.codex.said).toMatch(/✓ Connection +\\\\\.\\pipe\\\S+ answers with the context/);
    expect([result.code, result.left]).toEqual([0, []]);
    // An editor that names its folder file:///c%3A/My%20Shop.
    expect(result.edited.started.code).toBe(127);
    expect(result.edited.code).toBe(0);
  });

  test("paths in every notation name files, and no device, stream or share does", async () => {
    const result = JSON.parse(await node.run("paths.mjs", companionScript));
    expect(result.shown).toEqual({
      upper: "accepted upper",
      lower: "accepted lower",
      slashes: "accepted slashes",
      prefixed: "accepted prefixed",
      long: "accepted long",
      share: expect.stringContaining("must lie on this machine or in an open folder"),
      prefixedShare: expect.stringContaining("must lie on this machine or in an open folder"),
      device: expect.stringContaining("must name a file, not a device"),
      con: expect.stringContaining("must name a file, not a device"),
      nul: expect.stringContaining("must name a file, not a device"),
      com: expect.stringContaining("must name a file, not a device"),
      stream: expect.stringContaining("must name a file, not a stream of it"),
      relative: expect.stringContaining("must be absolute"),
      ofDrive: expect.stringContaining("must be absolute"),
    });
    // Nobody has written any of them.
    expect(result.names).toEqual(["cart.txt", "d".repeat(50)]);
    expect(result.longest).toBeGreaterThan(300);
    expect(result.written).toEqual({ "other case": [0, "mine\r\n"], "long path": [0, "mine\r\n"] });
    expect(result.code).toBe(0);
  });

  test("an accepted text waits for a program that has its file open, and is kept if that stays", async () => {
    const result = JSON.parse(await node.run("held-file.mjs", companionScript));
    for (const how of ["reader", "writer"]) {
      expect(result[how], how).toMatchObject({ code: 0, now: "mine\r\n", tidy: true });
      expect(result[how].said, how).toBe("accepted: C:\\My Shop\\cart.txt\n");
    }
    for (const how of ["lastingReader", "lastingWriter"]) {
      expect(result[how], how).toMatchObject({ code: 1, now: "old\r\n", kept: "mine\r\n", tidy: true });
      expect(result[how].said, how).toMatch(
        /cart\.txt was not written: another program has it open, or you may not change it \(E\w+\)\. The accepted text is kept in C:/,
      );
    }
  });

  test("what an agent writes within its hooks is recorded, and kept or reverted exactly", async () => {
    const result = JSON.parse(await node.run("written.mjs", companionScript));
    expect(result.said).toEqual(["0", "0", "0", "0", "0", "0"]);
    const [{ changes }] = result.listed.turns;
    expect(changes).toMatchObject([
      { path: `${folder}\\cart.txt`, added: 2, removed: 2 },
      { path: `${folder}\\price.txt`, kind: "added" },
    ]);
    expect(result.diff.said).toMatch(/^-one\r?\n\+ONE/m);
    expect([result.reverted.code, result.kept.code], result.reverted.said + result.kept.said).toEqual([0, 0]);
    expect(result.left.turns).toEqual([]);
    expect(result.texts).toEqual({ cart: "one\r\ntwo\r\nthree\r\n", price: "1\r\n" });
  });

  test("an agent works with the editor's tools over standard input and output", async () => {
    const result = JSON.parse(await node.run("mcp.mjs", companionScript));
    expect(result.names).toContain("getSelection");
    expect(result.outcome).toMatchObject({ outcome: "accepted", written: true });
    expect([result.text, result.code]).toEqual(["mine\r\n", 0]);
  });

  test("a user's editors and agents are set up, and are as they were afterwards", async () => {
    const { installed, changed, init, calls, uninstalled, left } = JSON.parse(
      await node.run("install.mjs", companionScript),
    );
    expect([installed.code, uninstalled.code], installed.said + uninstalled.said).toEqual([0, 0]);
    expect(changed).toEqual(
      expect.arrayContaining([
        ".claude.json",
        ".gemini\\settings.json",
        "AppData\\Local\\ide-companion\\emacs\\ide-companion.el",
        "AppData\\Local\\kate\\lspclient\\settings.json",
        "AppData\\Local\\nvim-data\\site\\plugin\\load-ide-companion.lua",
        "AppData\\Roaming\\.emacs.d\\init.el",
        "AppData\\Roaming\\helix\\languages.toml",
        "vimfiles\\pack\\ide\\start\\ide-companion\\plugin\\ide_companion.vim",
      ]),
    );
    expect(init).toContain(
      "\uFEFF;; mine\r\n(setq inhibit-startup-screen t)\r\n\r\n;; ide-companion >>>\r\n",
    );
    expect(calls).toMatch(/"--install-extension" ".+\\vscode\\ide-companion-0\.1\.0\.vsix" "--force"/);
    // What stands in for VS Code notes its calls there.
    expect(left).toEqual(["called.txt"]);
  });

  test("what npm installs for cmd is started by its name", async (t) => {
    t.skip(!isNewer(version), "the cmd of Wine 8 does not read the files that npm makes for it");
    // Wine 10 has another /usr, and with it no npm.
    const shim = sandbox.path("cmd-shim");
    cpSync(partsOfNpm("cmd-shim"), shim, { recursive: true });
    const result = JSON.parse(await node.run("shims.mjs", companionScript, join(shim, "lib", "index.js")));
    expect(result.version).toEqual({ code: 0, said: "0.1.0\n" });
    expect(result.started.code).toBe(7);
    expect(JSON.parse(result.started.said)).toEqual({ given: ["two words", "50%", "a&b", "c:\\"], folder });
  });

  test("Ctrl+C ends the companion, and leaves no file by which CLIs find it", async () => {
    const result = isNewer(version)
      ? await pressByConsole(sandbox, node)
      : await pressInTerminal(sandbox, node);
    expect(result).toEqual({ code: 130, left: [] });
  });
});

/** A console of Wine 10 gives Node the first key alone: it is sent what the key would send. */
async function pressByConsole(sandbox: Sandbox, { inTerminal }: WindowsNode) {
  const file = sandbox.path("result.json");
  const script = join(import.meta.dirname, "inside", "console.mjs");
  const command = [...inTerminal, script, companionScript, file, nodeOf("26")];
  const terminal = await startTerminal(sandbox, { command });
  expect(await terminal.exited(within)).toBe(0);
  const { code, left, files } = JSON.parse(readFileSync(file, "utf8"));
  expect(files).toBe(4);
  return { code, left };
}

async function pressInTerminal(sandbox: Sandbox, node: WindowsNode) {
  const command = [...node.inTerminal, companionScript, "--no-open", folder];
  const terminal = await startTerminal(sandbox, { command });
  await terminal.waitFor("Ctrl-C ends this", within);
  await terminal.press("C-c");
  const code = await terminal.exited(within);
  const { left } = JSON.parse(await node.run("left.mjs", companionScript));
  return { code, left };
}
