import { existsSync } from "node:fs";
import { emacs } from "./emacs.mjs";
import { neovim } from "./neovim.mjs";
import { vim } from "./vim.mjs";

/**
 * One editor with our plugin: how it is started and driven. Everything else is the same for all.
 * @typedef {object} BenchEditor
 * @property {string} name as the table has it
 * @property {string} program absolute path; where there is none, the editor is left out
 * @property {(start: EditorStart) => Promise<{ args: string[], env?: Record<string, string> }>} prepare
 *   writes what the editor reads at its start; nothing of the user's own may be read
 * @property {string} [libraries] the editor's own libraries that the plugin makes use of, in words; they take
 *   their toll, such as a longer garbage collection, from whatever has loaded them
 * @property {number} [mostAtStart] milliseconds that the plugin may add to its start
 * @property {string} down key that moves the cursor down a line
 * @property {string} up and the one that moves it back
 *
 * @typedef {object} EditorStart
 * @property {string} home an empty folder, which is HOME
 * @property {string} file to be opened; it has 5000 lines
 * @property {string} ready a file that the editor has to write once it is done with everything that its start
 *   brings, the plugin's part included, and would wait for a key
 * @property {boolean} withPlugin
 * @property {boolean} withLibraries load the editor's own `libraries`, also without the plugin
 * @property {boolean} showsProposals the plugin is to show each proposal at once, whatever the user does
 */

/** @type {readonly BenchEditor[]} */
const editors = [neovim, vim, emacs];

/**
 * Measures each editor that is installed, one after the other.
 * @param {(editor: BenchEditor) => Promise<import("../row.mjs").Row[]>} measure
 */
export async function forEachEditor(measure) {
  const rows = [];
  for (const editor of editors) {
    if (existsSync(editor.program)) rows.push(...(await measure(editor)));
    else console.error(`${editor.name} is left out: there is no ${editor.program}`);
  }
  return rows;
}
