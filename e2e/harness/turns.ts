import { killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Model, Turn } from "./model.ts";
import { pressUntil, type Terminal, typeIn } from "./terminal.ts";

interface TurnsOptions {
  readonly model: Model;
  readonly terminal: Terminal;
  /** Types a prompt and sends it. */
  say(text: string): Promise<void>;
}

/** The turns in which a CLI's model proposes changes. */
export function createTurns({ model, terminal, say }: TurnsOptions) {
  let count = 0;
  return {
    /** Begins one, in which the model calls these tools. */
    async propose(...calls: readonly Turn[]): Promise<void> {
      count += 1;
      model.plan(...calls, { text: `The end of turn ${count}.` });
      await say(`Begin turn ${count}`);
    },
    /** Waits until the model has had the tools' results and has closed the latest. */
    finished: async () => void (await terminal.waitFor(`The end of turn ${count}.`)),
  };
}

interface AskingOptions extends Pick<TurnsOptions, "terminal" | "model"> {
  /** What stands in front of what is typed. */
  readonly prompt: RegExp;
  /** What its terminal asks. */
  readonly question: RegExp;
}

/**
 * A CLI that asks in its terminal while the IDE shows its diff.
 * @returns what all such CLIs do, and how a turn begins in which the model calls tools
 */
export function createAskingCli({ terminal, model, prompt, question }: AskingOptions) {
  const ready = async () => void (await terminal.waitFor(prompt));
  const say = async (text: string) => {
    await ready();
    await typeIn(terminal, text);
  };
  const { propose, finished } = createTurns({ model, terminal, say });
  const cli = {
    terminal,
    model,
    /** Waits until it takes input. */
    ready,
    /** Types a prompt or a slash command and sends it. */
    say,
    finished,
    /** Answers the question that its terminal asks while the IDE shows the diff. */
    async answer(key: "Enter" | "Escape") {
      await terminal.waitFor(question);
      await pressUntil(terminal, key, (screen) => !question.test(screen));
    },
    /** Ends it with SIGKILL, as a crash would. */
    kill: () => killTree(terminal.pid),
  };
  return { cli, propose };
}
