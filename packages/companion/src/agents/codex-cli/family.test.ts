import { lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import {
  askAsCodex,
  codexSocket,
  contextOf,
  formerCodexSocket,
  IpcProgram,
} from "../../../../testkit/src/fake-cli/codex-cli.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { startCompanion } from "../../companion.ts";
import { privateHost, startCore } from "../../testing/core.ts";
import { MemoryEditor } from "../../testing/memory-editor.ts";

const at = (line: number, character: number) => ({ line, character });

const ask = async (path: string, folder: string) => contextOf(await askAsCodex(path, folder, onTestFinished));

/** A companion whose user has selected a line. */
async function startLooking(options: Parameters<typeof startCore>[0] = {}) {
  const core = await startCore(options);
  const [path, other] = [join(core.root, "src", "a.txt"), join(core.root, "b.txt")];
  mkdirSync(dirname(path));
  for (const file of [path, other]) writeFileSync(file, "line one\nline two\n");
  const selection = { start: at(2, 1), end: at(2, 9) };
  const active = { path, focusedAt: 2, selectedText: "line two", selection };
  core.editor.look({ files: [active, { path: other, focusedAt: 1 }], activePath: path });
  const answered = (folder = core.root) =>
    eventually(async () => {
      const context = await ask(codexSocket(core.host), folder);
      expect(context).toMatchObject({ activeFile: { label: "a.txt" } });
      return context;
    });
  return { ...core, path, other, answered };
}

describe("the context", () => {
  test("has the selection from 0, and open files by their paths in the CLI's folder", async () => {
    const { answered, path, other } = await startLooking();
    const selection = { start: at(1, 0), end: at(1, 8) };
    const active = { label: "a.txt", path: join("src", "a.txt"), fsPath: path };
    expect(await answered()).toEqual({
      activeFile: { ...active, selection, activeSelectionContent: "line two", selections: [selection] },
      openTabs: [active, { label: "b.txt", path: "b.txt", fsPath: other }],
    });
  });

  test("has absolute paths of files outside of the CLI's folder", async () => {
    const { answered, root, path, other } = await startLooking();
    expect(await answered(join(root, "src"))).toMatchObject({
      activeFile: { path: "a.txt", fsPath: path },
      openTabs: [{ path: "a.txt" }, { path: other }],
    });
  });

  test("of a cursor has an empty selection there", async () => {
    const { editor, path, host, root } = await startLooking();
    editor.look({ files: [{ path, focusedAt: 3, cursor: at(2, 4) }], activePath: path });
    const selection = { start: at(1, 3), end: at(1, 3) };
    await eventually(async () =>
      expect(await ask(codexSocket(host), root)).toMatchObject({
        activeFile: { selection, activeSelectionContent: "", selections: [] },
      }),
    );
  });

  test("of no open file is empty, which the CLI takes", async () => {
    const { host, root } = await startCore();
    expect(await ask(codexSocket(host), root)).toEqual({ activeFile: null, openTabs: [] });
  });

  test("has nothing that the user keeps from agents", async () => {
    const { editor, root, host, answered } = await startLooking();
    const secret = join(root, ".env");
    writeFileSync(secret, "TOKEN");
    await answered();
    editor.look({ files: [{ path: secret, focusedAt: 3, selectedText: "TOKEN" }], activePath: secret });
    await eventually(async () =>
      expect(await ask(codexSocket(host), root)).toEqual({ activeFile: null, openTabs: [] }),
    );
  });

  test("no longer has a file that was deleted meanwhile", async () => {
    const { path, answered, root, host } = await startLooking();
    await answered();
    rmSync(path);
    await expect
      .poll(() => ask(codexSocket(host), root), { timeout: 5000 })
      .toMatchObject({ activeFile: null, openTabs: [{ label: "b.txt" }] });
  });
});

describe("a question", () => {
  test("is for the companion of that folder, of one below it or above it, by real paths", async () => {
    const { root, host, companion } = await startCore();
    const link = join(privateFolder(), "link");
    symlinkSync(root, link);
    const path = codexSocket(host);
    const nothing = { activeFile: null, openTabs: [] };
    expect(await ask(path, root)).toEqual(nothing);
    expect(await ask(path, join(root, "below"))).toEqual(nothing);
    expect(await ask(path, dirname(root))).toEqual(nothing);
    expect(await ask(path, link)).toEqual(nothing);
    expect(await ask(path, `${root}-2`)).toBe("no-client-found");
    await companion.setRoots([link]);
    expect(await ask(path, root)).toEqual(nothing);
    await companion.setRoots([privateFolder()]);
    expect(await ask(path, root)).toBe("no-client-found");
  });

  test("is an event, and what status reads", async () => {
    const { answered, events } = await startLooking();
    await answered();
    expect(events).toContainEqual(expect.objectContaining({ kind: "context-requested", agent: "Codex CLI" }));
    expect(events.filter(({ kind }) => kind === "session-opened")).toEqual([]);
  });

  test("of another version, or of something else, is refused in the CLI's own words", async () => {
    const { host, root } = await startCore();
    const program = await IpcProgram.connect(codexSocket(host), onTestFinished);
    expect(contextOf(await program.askForContext(root, 1))).toBe("request-version-mismatch");
    expect(contextOf(await program.ask({ method: "thread-follower-start", params: {} }))).toBe(
      "no-client-found",
    );
  });

  test("of an older version is answered at its socket, after it has introduced itself", async () => {
    const { host, root } = await startCore();
    const program = await IpcProgram.connect(formerCodexSocket(host), onTestFinished);
    expect(await program.initialize()).toMatch(/^[\w-]{36}$/);
    expect(contextOf(await program.askForContext(root))).toEqual({ activeFile: null, openTabs: [] });
  });
});

describe("the socket", () => {
  test("is private, in the folder that CODEX_HOME names, and gone at the end", async () => {
    const host = { ...privateHost(), env: { CODEX_HOME: privateFolder() } };
    const { companion } = await startCore({ host });
    const path = join(host.env.CODEX_HOME, "ipc", "ipc.sock");
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(lstatSync(dirname(path)).mode & 0o777).toBe(0o700);
    await companion.close();
    for (const each of [path, formerCodexSocket(host)]) expect(() => lstatSync(each)).toThrow("ENOENT");
  });

  test("of a companion that ends just then, as when a window reloads, is taken over", async () => {
    const host = privateHost();
    for (const path of [codexSocket(host), formerCodexSocket(host)]) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const ending = createServer((connection) => {
        ending.close();
        connection.destroy();
      });
      onTestFinished(() => void ending.close());
      await new Promise<void>((resolve) => ending.listen(path, resolve));
    }
    const { events, root } = await startCore({ host });
    await eventually(async () => {
      for (const path of [codexSocket(host), formerCodexSocket(host)])
        expect(await ask(path, root)).toEqual({ activeFile: null, openTabs: [] });
    });
    expect(events.filter(({ kind }) => kind === "warning")).toEqual([]);
  });

  test("that cannot be had is a warning, and every other agent is served", async () => {
    const host = { ...privateHost(), env: { CODEX_HOME: join(privateFolder(), "long".repeat(30)) } };
    const { events, companion } = await startCore({ host });
    expect(companion.port).toBeGreaterThan(0);
    const warnings = events.filter((event) => event.kind === "warning");
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.message).toMatch(/^Codex CLI cannot ask this companion: .* bytes.*shorter path\.$/);
  });

  test("is closed again where the files of all other agents cannot be written", async () => {
    const blocked = join(privateFolder(), "not-a-folder");
    writeFileSync(blocked, "");
    const host = { ...privateHost(), tmp: blocked, home: blocked, env: { CODEX_HOME: privateFolder() } };
    await expect(startCompanion({ editor: new MemoryEditor(), roots: [], host })).rejects.toThrow(blocked);
    expect(() => lstatSync(join(host.env.CODEX_HOME, "ipc", "ipc.sock"))).toThrow("ENOENT");
  });
});
