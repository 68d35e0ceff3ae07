import { expect } from "vitest";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import type { ProposalView } from "./review-page.ts";
import { type ScenarioOptions, scenario } from "./scenario.ts";
import type { Terminal } from "./terminal.ts";

/** What of a CLI the rows need: one whose question stays in its terminal while the editor shows the diff. */
export interface RowCli {
  readonly terminal: Terminal;
  proposeEdit(path: string, before: string, after: string): Promise<void>;
  finished(): Promise<void>;
  answer(key: "Enter" | "Escape"): Promise<void>;
  kill(): Promise<void>;
}

/** What of an editor the rows need. */
export interface RowEditor {
  proposal(name: string, agent?: string): Promise<Pick<ProposalView, "accept" | "reject">>;
  nothingWaits(): Promise<void>;
}

export interface RowsOptions<Editor, Cli> {
  /** As in `Claude Code in Neovim`. */
  readonly title: string;
  readonly needs: NonNullable<ScenarioOptions["needs"]>;
  startEditor(sandbox: Sandbox): Promise<Editor>;
  startCli(sandbox: Sandbox): Promise<Cli>;
  /** What the terminal shows of a change that was rejected. */
  readonly rejected: RegExp;
}

/** The text of the file before each row. */
export const before = "first\nsecond\n";

interface RowParts<Editor, Cli> {
  readonly sandbox: Sandbox;
  readonly editor: Editor;
  readonly cli: Cli;
}

/**
 * Rows of a diff's life: a proposal of `2nd` in place of `second` in `note.txt`, and what becomes of it. Adds those that
 * every such CLI has.
 * @returns adds another one
 */
export function diffRows<Editor extends RowEditor, Cli extends RowCli>(options: RowsOptions<Editor, Cli>) {
  const { title, needs, startEditor, startCli, rejected } = options;
  const row = (what: string, run: (parts: RowParts<Editor, Cli>) => Promise<void>, expected: string) =>
    scenario(
      `${title}: ${what}`,
      async (sandbox) => {
        const path = await sandbox.write("note.txt", before);
        const editor = await startEditor(sandbox);
        const cli = await startCli(sandbox);
        await cli.proposeEdit(path, "second", "2nd");
        await run({ sandbox, editor, cli });
        await editor.nothingWaits();
        expect(String(await sandbox.read("note.txt"))).toBe(expected);
      },
      { needs },
    );

  row(
    "rejected",
    async ({ editor, cli }) => {
      await (await editor.proposal("note.txt")).reject();
      await cli.terminal.waitFor(rejected);
    },
    before,
  );

  row(
    "accepted in the terminal",
    async ({ editor, cli }) => {
      await editor.proposal("note.txt");
      await cli.answer("Enter");
      await cli.finished();
    },
    "first\n2nd\n",
  );

  row(
    "rejected in the terminal",
    async ({ editor, cli }) => {
      await editor.proposal("note.txt");
      await cli.answer("Escape");
      await cli.terminal.waitFor(rejected);
    },
    before,
  );

  row(
    "killed under a proposal",
    async ({ editor, cli }) => {
      await editor.proposal("note.txt");
      await cli.kill();
    },
    before,
  );

  return row;
}
