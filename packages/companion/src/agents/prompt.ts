import { setTimeout as delay } from "node:timers/promises";
import type { Ends } from "../system/liveness.ts";
import { findClientProcess } from "../system/processes/process-details.ts";
import { findTmuxPane, type ProgramTerminal } from "../system/tmux-pane.ts";

/** Milliseconds between two looks at a screen. */
const pace = 150;

/** Milliseconds within which a CLI shows what has been typed. */
const echoTime = 1500;

/** Where a CLI runs that has opened a connection to us; undefined where nothing is known of it. */
export async function findTerminal(connection: Ends): Promise<ProgramTerminal | undefined> {
  const pid = await findClientProcess(connection);
  return pid === undefined ? undefined : findTmuxPane(pid);
}

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
  isEmpty: (screen: string) => boolean,
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
