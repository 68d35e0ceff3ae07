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

/** A real CLI in a real terminal, with a private scripted model, that asks there while the IDE shows its diff. */
export interface AskingCli {
  readonly terminal: Terminal;
  readonly model: Model;
  /** Waits until it takes input. */
  ready(): Promise<void>;
  /** Types a prompt or a slash command and sends it. */
  say(text: string): Promise<void>;
  /** Waits until the model has had the tool's result and has closed the turn. */
  finished(): Promise<void>;
  /** Answers the question that its terminal asks while the IDE shows the diff. */
  answer(key: "Enter" | "Escape"): Promise<void>;
  /** Ends it with SIGKILL, as a crash would. */
  kill(): Promise<void>;
}

interface AskingOptions extends Pick<AskingCli, "terminal" | "model"> {
  /** What stands in front of what is typed. */
  readonly prompt: RegExp;
  /** What its terminal asks. */
  readonly question: RegExp;
}

/** @returns what all such CLIs do, and how a turn begins in which the model calls tools */
export function createAskingCli({ terminal, model, prompt, question }: AskingOptions) {
  const ready = async () => void (await terminal.waitFor(prompt));
  const say = async (text: string) => {
    await ready();
    await typeIn(terminal, text);
  };
  const { propose, finished } = createTurns({ model, terminal, say });
  const cli: AskingCli = {
    terminal,
    model,
    ready,
    say,
    finished,
    async answer(key) {
      await terminal.waitFor(question);
      await pressUntil(terminal, key, (screen) => !question.test(screen));
    },
    kill: () => killTree(terminal.pid),
  };
  return { cli, propose };
}
