import { createInterface } from "node:readline/promises";
import type { Invocation } from "../invocation.ts";

/** Whether there is anybody to ask. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stdout.isTTY;

/**
 * Asks the user of this terminal. Ctrl-C ends the process, as it does where nothing is asked.
 * @returns what was typed; undefined when there is nobody to ask, or no answer but Ctrl-D
 */
export async function ask(question: string): Promise<string | undefined> {
  if (!canAsk()) return undefined;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      lines.once("close", () => resolve(undefined));
      lines.once("SIGINT", () => {
        // The shell's prompt comes on the next line, in a terminal as it was.
        process.stdout.write("\n");
        lines.close();
        process.kill(process.pid, "SIGINT");
      });
      lines.question(question).then(resolve, reject);
    });
  } finally {
    lines.close();
  }
}

/** Whether somebody agrees. */
export const confirm = async (question: string): Promise<boolean> =>
  /^y(es)?$/i.test((await ask(`${question} [y/N] `))?.trim() ?? "");

/** Whether the user wants files to be written; says so where they do not. */
export async function isAgreed(question: string, { arguments: given, err }: Invocation): Promise<boolean> {
  if (given.has("yes") || (await confirm(question))) return true;
  err.line(`Nothing was written${canAsk() ? "." : ": where nobody can be asked, say --yes."}`);
  return false;
}
