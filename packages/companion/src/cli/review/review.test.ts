import { mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { agents } from "../../agents/agents.ts";
import type { Proposal } from "../../core/editor.ts";
import type { LogLevel } from "../../core/event-text.ts";
import type { CompanionEvent } from "../../core/events.ts";
import { createPaint } from "../../core/paint.ts";
import { privateHost } from "../../testing/core.ts";
import { parseArguments } from "../arguments.ts";
import { commands, defaultCommand } from "../commands.ts";
import { whyNoBrowser } from "./browser.ts";
import { createEventLog } from "./event-log.ts";
import { memoryFile, recallPage, rememberPage } from "./frontend.ts";
import { resolveFolders } from "./review-command.ts";
import { describeStart } from "./start-block.ts";

describe("the folders to serve", () => {
  const resolve = (folder: string, ...words: string[]) =>
    resolveFolders({ arguments: parseArguments(defaultCommand, words), commands, folder });

  test("are those that were named, once each, or else the present one", () => {
    const folder = privateFolder();
    mkdirSync(path.join(folder, "a"));
    expect(resolve(folder)).toEqual([folder]);
    expect(resolve(folder, "a", "./a/", ".")).toEqual([path.join(folder, "a"), folder]);
  });

  test("must be there, and be folders", () => {
    const folder = privateFolder();
    writeFileSync(path.join(folder, "file"), "");
    expect(() => resolve(folder, "missing")).toThrow(`there is no folder ${path.join(folder, "missing")}`);
    expect(() => resolve(folder, "file")).toThrow(`${path.join(folder, "file")} is a file, not a folder`);
    expect(() => resolve(folder, "file/x")).toThrow(`there is no folder ${path.join(folder, "file/x")}`);
  });

  test("may be a mistyped command", () => {
    expect(() => resolve(privateFolder(), "stauts")).toThrow(". Did you mean status?");
  });
});

test("the start ends with what to type next, or with how to install a CLI where there is none", () => {
  const [gemini, , claude] = agents;
  if (!gemini || !claude) throw new Error("there are no agents");
  const companion = { port: 1, discoveryFiles: [] };
  const start = { version: "1", link: "http://link", roots: ["/project"], companion };
  const block = { ...start, agents: [gemini, claude], home: "/home", noBrowser: undefined, recovered: 0 };
  const text = (areInstalled: boolean, isInstalled = true) =>
    describeStart({ ...block, areInstalled, isInstalled }, createPaint(false)).join("\n");
  expect(text(true)).toContain(`
  Type next, in another terminal in this folder:
    gemini   and in it /ide enable, unless it has connected
    claude   and in it /ide, unless it has connected
  or from any terminal: ide-companion run gemini
`);
  expect(text(true)).not.toContain("npm install");
  expect(text(true, false)).not.toContain("ide-companion run");
  expect(text(false)).toContain("To install one:\n  npm install --global @google/gemini-cli\n");
});

describe("the event log", () => {
  const proposal: Proposal = {
    id: "1",
    sessionId: "s",
    agent: "Gemini CLI",
    filePath: "/project/src/a.ts",
    newContent: "secret text",
    base: { kind: "missing" },
    openedAt: 0,
  };
  const edits = {
    id: "0123abcd",
    filePath: proposal.filePath,
    agent: proposal.agent,
    at: 0,
    reason: "session-ended",
    proposed: proposal.newContent,
    text: "secret edits",
  };
  const session = { id: "s", agent: "Gemini CLI", client: { name: "c", version: "1" }, connectedAt: 0 };

  function start(level: LogLevel = "normal", pages = 1) {
    const lines: string[] = [];
    const listeners = new Set<(count: number) => void>();
    const page = {
      pages,
      newLink: () => "http://link",
      onPages(listener: (count: number) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const paint = createPaint(false);
    const output = { paint, isTerminal: true, line: (text = "") => void lines.push(text.trim()) };
    const now = () => new Date(2026, 0, 2, 3, 4, 5).getTime();
    const log = createEventLog({ output, level, roots: ["/project"], home: "/home", page, now });
    onTestFinished(() => log.close());
    const setPages = (count: number) => {
      page.pages = count;
      for (const listener of listeners) listener(count);
    };
    return { log, lines, setPages };
  }

  test("has one line for everything that happens, with its time", () => {
    const { log, lines } = start();
    const events: readonly CompanionEvent[] = [
      { kind: "session-opened", session },
      { kind: "diff-opened", proposal },
      { kind: "diff-settled", proposal, settlement: { kind: "accepted", content: "x", by: "user" } },
      { kind: "diff-settled", proposal, settlement: { kind: "accepted", content: "x", by: "agent" } },
      { kind: "diff-settled", proposal, settlement: { kind: "rejected", by: "agent" } },
      { kind: "diff-settled", proposal, settlement: { kind: "closed", reason: "agent" } },
      { kind: "file-checked", proposal, result: "written", wasEdited: false },
      { kind: "file-checked", proposal, result: "not-written", wasEdited: false },
      { kind: "file-checked", proposal, result: "overwritten", wasEdited: false },
      { kind: "edits-recovered", proposal, edits },
      { kind: "session-closed", session, reason: "it went away" },
      { kind: "warning", message: "the disk is full" },
    ];
    for (const event of events) log.print(event);
    expect(lines).toEqual([
      "03:04:05  Gemini CLI  connected",
      "03:04:05  Gemini CLI  proposes src/a.ts",
      "03:04:05  Gemini CLI  accepted with your edits: src/a.ts",
      "03:04:05  Gemini CLI  accepted and written by Gemini CLI with your edits: src/a.ts",
      "03:04:05  Gemini CLI  rejected by Gemini CLI: src/a.ts",
      "03:04:05  Gemini CLI  decided in the terminal: src/a.ts",
      "03:04:05  Gemini CLI  wrote src/a.ts",
      "03:04:05  Gemini CLI  has not written src/a.ts",
      "03:04:05  Gemini CLI  src/a.ts holds another text than the one accepted",
      "03:04:05  Gemini CLI  your edits are kept: ide-companion edits (src/a.ts: Gemini CLI ended before you decided.)",
      "03:04:05  Gemini CLI  disconnected, it went away",
      "03:04:05  Warning     the disk is full",
    ]);
  });

  test("tells places and lengths in debug, and no text of the user in any level", () => {
    const { log, lines } = start("debug");
    const files = [
      {
        path: "/project/a.ts",
        focusedAt: 1,
        isActive: true as const,
        cursor: { line: 3, character: 4 },
        selectedText: "my secret",
      },
    ];
    log.print({ kind: "context-sent", context: { files }, sessions: 2 });
    log.print({ kind: "diff-opened", proposal });
    expect(lines[0]).toBe("03:04:05  Context     1 file, a.ts:3:4, 9 characters selected, to 2 CLIs");
    expect(lines.join("\n")).not.toContain("secret");
  });

  test("says, even when quiet, that a proposal waits while no page is open", () => {
    const { log, lines } = start("quiet", 0);
    log.print({ kind: "session-opened", session });
    log.print({ kind: "diff-opened", proposal });
    expect(lines).toEqual([
      "03:04:05  Gemini CLI  waits for your decision on src/a.ts",
      "No page is open. Open one to decide:",
      "http://link",
    ]);
  });

  test("says it too when the last page is closed over a proposal, and not when it is reloaded", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { log, lines, setPages } = start("quiet");
    log.print({ kind: "diff-opened", proposal });
    setPages(0);
    vi.advanceTimersByTime(1000);
    setPages(1);
    vi.advanceTimersByTime(10_000);
    expect(lines).toEqual([]);
    setPages(0);
    vi.advanceTimersByTime(10_000);
    expect(lines).toContain("http://link");
  });

  test("says nothing of a closed page when nothing waits any more", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { log, lines, setPages } = start("quiet");
    log.print({ kind: "diff-opened", proposal });
    log.print({ kind: "diff-settled", proposal, settlement: { kind: "rejected", by: "user" } });
    setPages(0);
    vi.advanceTimersByTime(10_000);
    expect(lines).toEqual([]);
  });

  test("tells a refusal that repeats itself once", () => {
    const { log, lines } = start();
    for (let i = 0; i < 3; i++) log.print({ kind: "request-refused", status: 401, reason: "Wrong token." });
    expect(lines).toEqual(["03:04:05  Refused     401 Wrong token."]);
  });

  test("is not steered by a file's name", () => {
    const { log, lines } = start();
    log.print({ kind: "diff-opened", proposal: { ...proposal, filePath: "/project/a\x1b[2J\nb" } });
    expect(lines).toEqual(["03:04:05  Gemini CLI  proposes a\\x1b[2J\\nb"]);
  });
});

describe("a browser", () => {
  test("is opened where the user sees it, and nowhere else", () => {
    expect(whyNoBrowser("linux", { DISPLAY: ":0" })).toBeUndefined();
    expect(whyNoBrowser("linux", { WAYLAND_DISPLAY: "wayland-0" })).toBeUndefined();
    expect(whyNoBrowser("linux", { WSL_DISTRO_NAME: "Debian" })).toBeUndefined();
    expect(whyNoBrowser("darwin", {})).toBeUndefined();
    expect(whyNoBrowser("win32", {})).toBeUndefined();
    expect(whyNoBrowser("linux", { BROWSER: "code --open-url" })).toBeUndefined();
    expect(whyNoBrowser("linux", {})).toBe("There is no display here.");
    expect(whyNoBrowser("darwin", { CI: "true" })).toContain("CI machine");
    expect(whyNoBrowser("darwin", { SSH_CONNECTION: "x" })).toContain("remote machine");
  });
});

describe("the page's memory", () => {
  test("brings port and secret back for the same folders, in any order", () => {
    const host = privateHost();
    const file = memoryFile(["/a", "/b"], host, "linux");
    expect(file).toBe(memoryFile(["/b", "/a"], host, "linux"));
    expect(file).not.toBe(memoryFile(["/a"], host, "linux"));
    const { secret, port } = recallPage(file);
    expect(port).toBeUndefined();
    rememberPage(file, { port: 4000, secret });
    expect(recallPage(file)).toEqual({ port: 4000, secret });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("starts again when it is damaged", () => {
    const file = memoryFile(["/a"], privateHost(), "linux");
    rememberPage(file, { port: 1, secret: "too short" });
    expect(recallPage(file)).not.toHaveProperty("port");
  });

  test("lies where each system keeps such things", () => {
    const host = { ...privateHost(), home: "/home/ada", env: { XDG_STATE_HOME: "/state" } };
    expect(memoryFile([], host, "linux")).toMatch(/^\/state\/ide-companion\/[0-9a-f]{32}\.json$/);
    expect(memoryFile([], { ...host, env: {} }, "linux")).toMatch(/^\/home\/ada\/\.local\/state\//);
    expect(memoryFile([], host, "darwin")).toMatch(
      /^\/home\/ada\/Library\/Application Support\/ide-companion\//,
    );
  });
});
