import { expect } from "vitest";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import type { Editor, EditorKind, EditorProposal } from "./editor.ts";
import { emacs } from "./emacs.ts";
import { helix } from "./helix.ts";
import { kakoune } from "./kakoune.ts";
import { kate } from "./kate.ts";
import { neovim } from "./neovim.ts";
import { scenario } from "./scenario.ts";
import type { Terminal } from "./terminal.ts";
import { theia } from "./theia.ts";
import { vim } from "./vim.ts";
import { vscode } from "./vscode.ts";

/** What an agent CLI is tried with in each editor. */
export interface TriedAgent<Cli> {
  /** What is promised. @param editor as people call it */
  sentence(editor: string): string;
  /** Programs that it needs, by name. */
  readonly needs?: Readonly<Record<string, string>>;
  /** Starts one that finds the editor of the sandbox. */
  start(sandbox: Sandbox): Promise<Cli>;
  /** Sends a prompt, with which the model must receive the selection: `words`, in line 2 of a file. */
  receives(cli: Cli, path: string, sandbox: Sandbox): Promise<void>;
  /** What comes after that. */
  andThen?(parts: Tried<Cli>): Promise<void>;
}

interface Tried<Cli> {
  readonly sandbox: Sandbox;
  readonly editor: Editor;
  readonly cli: Cli;
}

export const everyEditor: readonly EditorKind[] = [
  ...[neovim, vim, emacs, kakoune, helix, kate, vscode, theia],
];

/** Tries an agent in every editor, each once. */
export function agentInEditors<Cli>(agent: TriedAgent<Cli>): void {
  for (const { name, needs, start, ...time } of everyEditor) {
    scenario(
      agent.sentence(name),
      async (sandbox) => {
        const selected = await sandbox.write("selected.txt", "one\ntwo words here\n");
        const editor = await start(sandbox, [selected]);
        const cli = await agent.start(sandbox);
        await editor.select("words");
        await agent.receives(cli, selected, sandbox);
        await agent.andThen?.({ sandbox, editor, cli });
      },
      { ...time, needs: { ...needs, ...agent.needs } },
    );
  }
}

/** A CLI that proposes changes. */
interface Proposer {
  readonly terminal: Terminal;
  proposeEdit(path: string, before: string, after: string): Promise<void>;
  finished(): Promise<void>;
}

interface Decisions {
  /** Accepts a proposal of `2nd` for `second`. @returns the line that the file then has */
  accept(proposal: EditorProposal): Promise<string>;
  /** What the terminal shows of a change that was rejected. */
  readonly rejected: RegExp;
}

/** One proposal is accepted, and the next one for the same file rejected. */
export async function decideTwo(
  { sandbox, editor, cli }: Tried<Proposer>,
  { accept, rejected }: Decisions,
): Promise<void> {
  const path = await sandbox.write("note.txt", "first\nsecond\nthird\n");
  await editor.open(path);
  await cli.proposeEdit(path, "second", "2nd");
  const expected = `first\n${await accept(await editor.proposal("note.txt"))}\nthird\n`;
  await cli.finished();
  expect(String(await sandbox.read("note.txt"))).toBe(expected);
  await editor.nothingWaits();

  await cli.proposeEdit(path, "third", "3rd");
  await (await editor.proposal("note.txt")).reject();
  await cli.terminal.waitFor(rejected);
  expect(String(await sandbox.read("note.txt"))).toBe(expected);
  await editor.nothingWaits();
}
