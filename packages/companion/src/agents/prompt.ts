import { setTimeout as delay } from "node:timers/promises";
import type { OptionalCapabilities } from "../core/editor.ts";
import type { PromptResult, PromptText } from "../core/sessions.ts";
import type { Ends } from "../system/liveness.ts";
import { findClientProcess, readProcessDetails } from "../system/processes/process-details.ts";
import { lineageOf, readProcessTable } from "../system/processes/process-table.ts";
import { findTmuxPane, isInForeground, type ProgramTerminal, ttyOf } from "../system/tmux-pane.ts";

/** Milliseconds between two looks at a screen. */
const pace = 150;

/** Milliseconds within which a CLI shows what has been typed, unless it is busy. */
const echoTime = 1500;

/** Whether a screen shows a CLI's prompt, and nothing in it; in doubt no. */
export type HasEmptyPrompt = (screen: string) => boolean;

/** The editor's own terminals, where it can read them and type in them. */
export type TerminalEditor = Pick<OptionalCapabilities, "readTerminal" | "typeInTerminal">;

/**
 * Types a text into the prompt of a CLI that runs in a terminal which we can reach: a pane of tmux, or a terminal of the
 * editor.
 * @param connection that the CLI has opened to us: who holds its other end is known by the system, not by what it says
 * @param patience milliseconds in which the prompt has to be there and empty
 */
export async function typeInPromptOf(
  connection: Ends,
  text: PromptText,
  isEmpty: HasEmptyPrompt,
  { editor, patience }: { readonly editor: TerminalEditor; readonly patience: number },
): Promise<PromptResult> {
  const pid = await findClientProcess(connection);
  if (pid === undefined) return "unreached";
  const end = performance.now() + patience;
  const type = async () => {
    const terminal = (await findTmuxPane(pid)) ?? (await findEditorTerminal(editor, pid));
    if (terminal === undefined) return "unreached";
    const { folder } = (await readProcessDetails([pid])).get(pid) ?? {};
    const left = Math.max(0, end - performance.now());
    // A terminal that has gone meanwhile has nothing.
    const isThere = await typeInPrompt(terminal, text(folder), isEmpty, left).catch(() => undefined);
    if (isThere === undefined) return "unreached";
    return isThere ? "typed" : "busy";
  };
  return afterOthers(pid, type, patience);
}

/** The texts that are being typed, or wait for it, by the CLI's process. */
const typing = new Map<number, Promise<unknown>>();

/** Types a text when those before it are done: two at once would both find the prompt empty. */
async function afterOthers(
  pid: number,
  type: () => Promise<PromptResult>,
  patience: number,
): Promise<PromptResult> {
  const others = typing.get(pid);
  const isFree = others?.then(() => true) ?? true;
  const result = Promise.race([isFree, delay(patience, false, { ref: false })]).then((isMyTurn) =>
    isMyTurn ? type() : "busy",
  );
  const all = Promise.allSettled([others, result]);
  typing.set(pid, all);
  void all.then(() => typing.get(pid) === all && typing.delete(pid));
  return result;
}

/**
 * The terminal of the editor in which a process runs.
 * @returns undefined where it runs in none, or the system does not tell
 */
export async function findEditorTerminal(
  editor: TerminalEditor,
  pid: number,
): Promise<ProgramTerminal | undefined> {
  if (!editor.readTerminal || !editor.typeInTerminal) return undefined;
  const read = editor.readTerminal.bind(editor);
  const paste = editor.typeInTerminal.bind(editor);
  try {
    const found = await read(lineageOf(await readProcessTable(), pid).map((one) => one.pid));
    // An editor or a multiplexer in that terminal has terminals too, and would get what is typed.
    if (found === undefined || (await ttyOf(found.pid)) !== (await ttyOf(pid))) return undefined;
    return {
      screen: async () => {
        const now = await read([found.pid]);
        if (now === undefined) throw new Error(`there is no terminal of process ${found.pid} any more`);
        return now.screen;
      },
      isListening: () => isInForeground(pid),
      paste: (text) => paste(found.pid, text),
    };
  } catch {
    return undefined; // the editor does not answer, or the process has ended
  }
}

/**
 * The prompt of CLIs that draw it between two lines: Claude Code and Copilot CLI. What a user types is behind the mark, or
 * indented. A suggestion that stands in it looks like what was typed. The file that the IDE has open stands in an empty
 * prompt of Claude Code 2.1 as `[⧉ In a.txt]`.
 */
export const isEmptyBetweenLines: HasEmptyPrompt = (screen) => {
  const [, after] = screen.split(/^─{8}.*\n[❯>]\s*(?:\[⧉ [^\]\n]*\]\s*)?\n─{8}.*$/mu);
  // Below it is nothing to choose from.
  return after !== undefined && !/^[\s│]*[❯>]/mu.test(after);
};

/**
 * Types a text into a CLI's prompt, without Enter, once the prompt is there and empty. What comes of it is looked at:
 * a CLI that is drawing its prompt may lose what is typed just then, and gets it once more. One that draws nothing has
 * not read it yet.
 * @param isEmpty whether a screen shows an empty prompt; in doubt it does not
 * @param patience milliseconds in which it has to be so
 * @returns whether it is there
 */
export async function typeInPrompt(
  terminal: ProgramTerminal,
  text: string,
  isEmpty: HasEmptyPrompt,
  patience: number,
): Promise<boolean> {
  const isReady = async () => isEmpty(await terminal.screen()) && (await terminal.isListening());
  const end = performance.now() + patience;
  while (await until(isReady, end)) {
    await terminal.paste(text);
    const before = await terminal.screen();
    const echoEnd = performance.now() + echoTime;
    let isThere = false;
    const isCertain = async () => {
      isThere = !(await isReady());
      return isThere || (performance.now() >= echoEnd && (await terminal.screen()) !== before);
    };
    if (!(await until(isCertain, Math.max(end, echoEnd)))) return false;
    if (isThere) return true;
  }
  return false;
}

/** @param end by `performance.now()` @returns whether it has come true by then */
async function until(holds: () => Promise<boolean>, end: number): Promise<boolean> {
  for (;;) {
    if (await holds()) return true;
    if (performance.now() >= end) return false;
    await delay(pace, undefined, { ref: false });
  }
}
