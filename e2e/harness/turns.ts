import type { Model, Turn } from "./model.ts";
import type { Terminal } from "./terminal.ts";

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
