import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { readProcessTable } from "../system/processes/process-table.ts";
import { findEditorTerminal, isEmptyBetweenLines, typeInPrompt, typeInPromptOf } from "./prompt.ts";

/** A terminal whose program takes so many pastes to show one, and so many looks after it. It draws at each look or never. */
function createTerminal({ losing = 0, isListening = true, typed = "", looks = 0, isDrawing = true } = {}) {
  const pastes: string[] = [];
  let text = typed;
  let look = 0;
  let shownAt = Number.POSITIVE_INFINITY;
  const terminal = {
    screen: async () => {
      look += 1;
      if (look >= shownAt) text = pastes.join("");
      return `${isDrawing ? look : ""}> ${text}`;
    },
    isListening: async () => isListening,
    paste: async (pasted: string) => {
      pastes.push(pasted);
      if (pastes.length > losing) shownAt = Math.min(shownAt, look + looks);
    },
  };
  return { terminal, pastes };
}

const isEmpty = (screen: string) => screen.endsWith("> ");

test("a text is typed once, and once more where the program has lost it while it drew its prompt", async () => {
  const sure = createTerminal();
  expect(await typeInPrompt(sure.terminal, "Why?", isEmpty, 8000)).toBe(true);
  expect(sure.pastes).toEqual(["Why?"]);
  const losing = createTerminal({ losing: 1 });
  expect(await typeInPrompt(losing.terminal, "Why?", isEmpty, 8000)).toBe(true);
  expect(losing.pastes).toEqual(["Why?", "Why?"]);
});

test("a program that is too busy to show a text gets it once, whether it shows it in time or not", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  for (const [looks, isShown] of [
    [8, true],
    [Number.POSITIVE_INFINITY, false],
  ] as const) {
    const busy = createTerminal({ looks, isDrawing: false });
    const screen = () => {
      vi.advanceTimersByTime(700);
      return busy.terminal.screen();
    };
    expect(await typeInPrompt({ ...busy.terminal, screen }, "Why?", isEmpty, 8000)).toBe(isShown);
    expect(busy.pastes).toEqual(["Why?"]);
  }
});

test("nothing is typed where the user has typed, or where a shell would take it for a command", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  for (const one of [createTerminal({ typed: "mine" }), createTerminal({ isListening: false })]) {
    const typing = typeInPrompt(one.terminal, "Why?", isEmpty, 8000);
    vi.advanceTimersByTime(10_000);
    expect(await typing).toBe(false);
    expect(one.pastes).toEqual([]);
  }
  vi.useRealTimers();
});

const line = "─".repeat(40);
/** As Claude Code 1.0.128, 2.0.77 and 2.1.332 and Copilot CLI 1.0.102 draw it: the mark, and what is typed. */
const drawn = (mark: string, ...typed: readonly string[]) =>
  ["⏺ The end of turn 1.", "", line, `${mark} ${typed.join("\n  ")}`, line, "  ? for shortcuts", ""].join(
    "\n",
  );

test("a prompt between two lines is empty when nothing stands behind its mark, and in doubt it is not", () => {
  for (const mark of [">", "❯"]) {
    expect(isEmptyBetweenLines(drawn(mark, ""))).toBe(true);
    expect(isEmptyBetweenLines(drawn(mark, "mine"))).toBe(false);
    // Its first line is empty.
    expect(isEmptyBetweenLines(drawn(mark, "", "mine"))).toBe(false);
    expect(isEmptyBetweenLines(drawn(mark, 'Try "how does <filepath> work?"'))).toBe(false);
  }
  // As Claude Code 2.1.332 names what the IDE shows.
  expect(isEmptyBetweenLines(drawn("❯", "[⧉ In open.txt]"))).toBe(true);
  expect(isEmptyBetweenLines(drawn("❯", "[⧉ In open.txt] mine"))).toBe(false);
  expect(isEmptyBetweenLines(drawn("❯", "[⧉ In open.txt]", "mine"))).toBe(false);
  expect(isEmptyBetweenLines(drawn("❯", "[⧉ In open.txt] a[0]"))).toBe(false);
  // A shell's command, a menu, a question.
  expect(isEmptyBetweenLines(drawn("!", ""))).toBe(false);
  expect(isEmptyBetweenLines(`${drawn("❯", "")} Do you want to edit a.ts?\n │ ❯ 1. Yes │\n`)).toBe(false);
  expect(isEmptyBetweenLines(" Do you want to edit a.ts?\n ❯ 1. Yes\n   2. No\n")).toBe(false);
  expect(isEmptyBetweenLines("$ \n")).toBe(false);
});

test("the terminal of an editor is found by a process above the CLI's, and gone when the editor says so", async () => {
  const asked: (readonly number[])[] = [];
  const pasted: [number, string][] = [];
  let isThere = true;
  const editor = {
    readTerminal: async (pids: readonly number[]) => {
      asked.push(pids);
      return isThere ? { pid: process.pid, screen: "> " } : undefined;
    },
    typeInTerminal: async (pid: number, text: string) => void pasted.push([pid, text]),
  };
  const found = await findEditorTerminal(editor, process.pid);
  expect(asked[0]?.slice(0, 2)).toEqual([process.pid, process.ppid]);
  expect(await found?.screen()).toBe("> ");
  await found?.paste("Why?");
  expect(pasted).toEqual([[process.pid, "Why?"]]);
  isThere = false;
  await expect(found?.screen()).rejects.toThrow("no terminal");
  expect(await findEditorTerminal(editor, process.pid)).toBeUndefined();
});

/** A process in the foreground of another terminal, connected to us. */
async function startElsewhere() {
  const server = createServer().listen(join(privateFolder(), "s"));
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const program = `exec '${process.execPath}' -e 'require("net").connect("${server.address()}")'`;
  const elsewhere = spawn("script", ["-qec", program, "/dev/null"], { stdio: "ignore" });
  onTestFinished(() => void elsewhere.kill());
  const [connection] = await once(server, "connection");
  onTestFinished(() => void connection.destroy());
  const found = [...(await readProcessTable()).values()].find((one) => one.parentPid === elsewhere.pid);
  return { pid: found?.pid ?? 0, connection };
}

test("no terminal of an editor is taken for that of a CLI in another one, as in an editor or a tmux inside of it", async () => {
  const editor = {
    readTerminal: async () => ({ pid: process.pid, screen: "> " }),
    typeInTerminal: async () => {},
  };
  expect(await findEditorTerminal(editor, (await startElsewhere()).pid)).toBeUndefined();
});

test("of two texts for one prompt at the same moment one is typed, and the other finds it busy", async () => {
  const { pid, connection } = await startElsewhere();
  const { terminal, pastes } = createTerminal({ looks: 2, isDrawing: false });
  const editor = {
    readTerminal: async () => ({ pid, screen: await terminal.screen() }),
    typeInTerminal: (_: number, text: string) => terminal.paste(text),
  };
  const type = (text: string, patience: number) =>
    typeInPromptOf(connection, () => text, isEmpty, { editor, patience });
  // Whose turn it is first depends on which of them is the first to find the process.
  const results = await Promise.all([type("Why?", 2000), type("So.", 0)]);
  expect([...results].sort()).toEqual(["busy", "typed"]);
  expect(pastes).toEqual([results[0] === "typed" ? "Why?" : "So."]);
});
