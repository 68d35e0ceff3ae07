import { setTimeout as delay } from "node:timers/promises";
import type { Ends } from "../system/liveness.ts";
import { findClientProcess } from "../system/processes/process-details.ts";
import { findTmuxPane, type ProgramTerminal } from "../system/tmux-pane.ts";

/** Milliseconds between two looks at a screen. */
const pace = 150;

/** Milliseconds within which a CLI shows what has been typed. */
const echoTime = 1500;

/** A CLI: its process, or a connection that it has opened to us. */
export type Cli = number | Ends;

/** Whether a screen shows a CLI's prompt, and nothing in it; in doubt no. */
export type HasEmptyPrompt = (screen: string) => boolean;

/**
 * Types a text into the prompt of a CLI that runs in a terminal which we can reach.
 * @param patience milliseconds in which the prompt has to be there and empty
 * @returns whether it is there
 */
export async function typeInPromptOf(
  cli: Cli,
  text: string,
  isEmpty: HasEmptyPrompt,
  patience: number,
): Promise<boolean> {
  const pid = typeof cli === "number" ? cli : await findClientProcess(cli);
  const terminal = pid === undefined ? undefined : await findTmuxPane(pid);
  if (terminal === undefined) return false;
  // A terminal that has gone meanwhile has nothing.
  return typeInPrompt(terminal, text, isEmpty, patience).catch(() => false);
}

/**
 * The prompt of CLIs that draw it between two lines: Claude Code and Copilot CLI. What a user types is behind the mark, or
 * indented. A suggestion that stands in it looks like what was typed.
 */
export const isEmptyBetweenLines: HasEmptyPrompt = (screen) => {
  const [, after] = screen.split(/^─{8}.*\n[❯>]\s*\n─{8}.*$/mu);
  // Below it is nothing to choose from.
  return after !== undefined && !/^[\s│]*[❯>]/mu.test(after);
};

/**
 * Types a text into a CLI's prompt, without Enter, once the prompt is there and empty. What comes of it is looked at:
 * a CLI that is drawing its prompt may lose what is typed just then, and gets it once more.
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
    const isThere = await until(async () => !(await isReady()), performance.now() + echoTime);
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
