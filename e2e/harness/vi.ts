import { poll } from "../../packages/testkit/src/waiting.ts";
import type { Editor } from "./editor.ts";
import { type Terminal, typeLine } from "./terminal.ts";

/** What a test asks of a Vim or a Neovim, other than what its user does. */
export interface ViRemote {
  /** Evaluates an expression of Vim's script. */
  ask(expression: string): Promise<unknown>;
  /** Waits until an expression is true. */
  until(what: string, expression: string): Promise<void>;
}

export const createViRemote = (terminal: Terminal, ask: ViRemote["ask"]): ViRemote => ({
  ask,
  async until(what, expression) {
    // It may not listen yet.
    const look = async () => Boolean(await ask(expression).catch(() => 0));
    await poll(what, look, { describe: terminal.screen });
  },
});

/** A text as Vim's script has it. */
export function vimString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Goes to the first occurrence of a text, in Vim's script. */
export const find = (text: string) => `cursor(searchpos('\\V' .. escape(${vimString(text)}, '\\'), 'cnw'))`;

/** The buffers in which a change is proposed; empty when there is none. @param fits of a buffer `b`, in Vim's script */
export const proposed = (fits: string) =>
  `filter(getbufinfo(), {_, b -> !empty(getbufvar(b.bufnr, 'ide_companion')) && ${fits}})`;

/** Goes to the proposal in a buffer as its user does: of several one has the tab, and leads to the next. */
export async function enterProposal({ ask, until }: ViRemote, what: string, buffers: string): Promise<void> {
  const next = "empty(execute('IdeCompanion next')) && 0";
  await until(what, `!empty(${buffers}) && (!empty(${buffers}[0].windows) || ${next})`);
  await ask(`win_gotoid(${buffers}[0].windows[0])`);
}

/** What a user does in both. @param waiting expression that lists the proposals of the plugin */
export function createViActions(
  terminal: Terminal,
  { ask, until }: ViRemote,
  waiting: string,
): Omit<Editor, "terminal" | "kill"> {
  const command = (text: string) => typeLine(terminal, `:${text}`);
  return {
    open: async (path) => void (await ask(`execute('edit ' .. fnameescape(${vimString(path)}))`)),
    close: async () => void (await ask("execute('bdelete')")),
    async select(text) {
      await ask(find(text));
      await terminal.type(`v${text.length - 1}l`);
      await until(`selection of ${text}`, `mode() ==# 'v' && col('.') - col('v') == ${text.length - 1}`);
    },
    async typeUnsaved(text) {
      await terminal.type(`gg0A${text}`);
      await terminal.press("Escape");
      await until("normal mode", "mode() ==# 'n'");
    },
    shows: (text) => until(text, `stridx(join(getline(1, '$'), "\\n"), ${vimString(text)}) >= 0`),
    async decideWritten(decision, text) {
      await ask(find(text));
      await terminal.waitFor(new RegExp(`[~+] ${text}`));
      await command(`IdeCompanion ${decision.toLowerCase()}`);
    },
    saveAll: () => command("wall"),
    says: async (text) => void (await terminal.waitFor(text)),
    async proposal(name) {
      const ending = vimString(`: ${name}`);
      const buffers = proposed(`bufname(b.bufnr)[-len(${ending}):] ==# ${ending}`);
      await enterProposal({ ask, until }, `proposal for ${name}`, buffers);
      await terminal.waitFor(/:q (?:rejects|no)/);
      return {
        replace: (before, after) => command(`%s/\\V${before}/${after}/`),
        accept: () => command("w"),
        reject: () => command("q"),
      };
    },
    nothingWaits: () => until("no proposal", `empty(${waiting}) && tabpagenr('$') == 1`),
  };
}
