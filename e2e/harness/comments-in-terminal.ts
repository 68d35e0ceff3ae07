import { expect } from "vitest";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import type { Model } from "./model.ts";
import type { EditorWithTerminals, StartOptions } from "./own-terminals.ts";
import { type ScenarioOptions, scenario } from "./scenario.ts";
import { pressUntil, type Terminal } from "./terminal.ts";
import { writeComment } from "./written-comments.ts";

/** A CLI, and how it is started in a terminal of an editor. */
export interface AgentInTerminal {
  readonly name: string;
  readonly displayName: string;
  start(sandbox: Sandbox, options: StartOptions): Promise<CliInTerminal>;
}

interface CliInTerminal {
  readonly terminal: Terminal;
  readonly model: Model;
  /** Waits until it is connected. */
  connected(): Promise<void>;
  /** Lets the model write a new file. */
  propose(path: string, content: string): Promise<void>;
}

/** A comment that is written in an editor stands in the prompt of the CLI in that editor's own terminal, without tmux. */
export function commentsInTerminal(
  editor: EditorWithTerminals,
  agent: AgentInTerminal,
  { matrix = false }: Pick<ScenarioOptions, "matrix"> = {},
): void {
  const { name, needs } = editor;
  scenario(
    `a comment written in ${name} stands in the prompt of ${agent.displayName} in its own terminal, and reaches the model with Enter`,
    async (sandbox) => {
      const file = await sandbox.write("open.txt", "open\n");
      const { cli, ...actions } = await editor.start(sandbox, file, agent.name, (options) =>
        agent.start(sandbox, options),
      );
      await cli.connected();
      const path = sandbox.path("new.txt");
      await cli.propose(path, "one\ntwo\n");
      await poll(`proposal for ${path}`, async () => (await actions.waiting()) === path);
      const asked = cli.model.requests.length;
      await actions.review();
      await cli.terminal.waitFor(/^.*\bone\b/m);
      await writeComment(cli.terminal, editor.comment, "Comment on line 1:", "Why one?");
      await cli.terminal.waitFor(/one\s+.*Why one\?|Why one\?/);
      await cli.terminal.type(editor.sayWhy);
      // Claude Code shows a paste of several lines as one word.
      await cli.terminal.waitFor(/I rejected your change\. My comments:|\[Pasted text/);
      const sent = () => cli.model.requests.slice(asked).filter(({ text }) => text.includes("Why one?"));
      expect(sent(), "before Enter").toEqual([]);
      await actions.back();
      await pressUntil(cli.terminal, "Enter", () => sent().length > 0);
      expect(sent()[0]?.text).toContain(`@${path}:1\n> one\nWhy one?`);
    },
    { needs, matrix },
  );
}
