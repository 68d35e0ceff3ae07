import { existsSync } from "node:fs";
import { emacs } from "./emacs.mjs";
import { neovim } from "./neovim.mjs";
import { vim } from "./vim.mjs";

/**
 * One editor with our plugin: how to start and drive it.
 * @typedef {object} BenchEditor
 * @property {string} name as the table has it
 * @property {string} program absolute path; where there is none, the editor is left out
 * @property {(start: EditorStart) => Promise<{ args: string[], env?: Record<string, string> }>} prepare
 *   writes what the editor reads at its start; it must not read the user's files
 * @property {string} [libraries] the editor's libraries that the plugin uses, as text; they cost time,
 *   such as longer garbage collections, in any session that loads them
 * @property {number} [mostAtStart] milliseconds that the plugin may add to its start
 * @property {string} down key that moves the cursor down a line
 * @property {string} up and the one that moves it back
 *
 * @typedef {object} EditorStart
 * @property {string} home an empty folder, which is HOME
 * @property {string} file to be opened; it has 5000 lines
 * @property {string} ready a file that the editor must write once its start is complete, with that of
 *   the plugin, and it waits for a key
 * @property {boolean} withPlugin
 * @property {boolean} withLibraries load the editor's `libraries`, also without the plugin
 * @property {boolean} showsProposals the plugin shows each proposal at once
 */

/** @type {readonly BenchEditor[]} */
const editors = [neovim, vim, emacs];

/**
 * Measures each installed editor, one after another.
 * @param {(editor: BenchEditor) => Promise<import("../report.mjs").Row[]>} measure
 */
export async function forEachEditor(measure) {
  const rows = [];
  for (const editor of editors) {
    if (existsSync(editor.program)) rows.push(...(await measure(editor)));
    else console.error(`${editor.name} is left out: there is no ${editor.program}`);
  }
  return rows;
}
