import path from "node:path";
import type { IdeInfo } from "../agents/gemini-family/contract/discovery.ts";
import { type DetectedIde, ides, jetbrainsProducts, toIdeInfo } from "../agents/gemini-family/ides.ts";
import type { ProcessInfo } from "../system/processes/process-table.ts";

/** Editors by the names of their programs, innermost first on a machine where they run in each other. */
const programs: readonly (readonly [name: RegExp, ide: IdeInfo])[] = [
  [/^nvim(-qt)?$|^neovide$/, ides.neovim],
  [/^g?vim(\.\w+)?$|^mvim$/, ides.vim],
  [/^emacs(-\w+)*$/, ides.emacs],
  [/^(hx|helix)$/, { name: "helix", displayName: "Helix" }],
  [/^kate$/, ides.kate],
  [/^kak$/, ides.kakoune],
  [/^zed(-editor)?$/, ides.zed],
  [/^(sublime_text|subl)$/, ides.sublimetext],
  [/^cursor$/, ides.cursor],
  [/^positron$/, ides.positron],
  [/^antigravity$/, ides.antigravity],
  [/^trae$/, ides.trae],
  [/^code(-\w+)?$|^codium$|^vscodium$/, ides.vscode],
];

/**
 * The editor that a terminal is in, whether an agent CLI would know it or not: by what its variables say, or else by
 * the nearest program above it that is an editor.
 * @param lineage the processes above, nearest first
 */
export function detectEditor(
  env: Readonly<Record<string, string | undefined>>,
  lineage: readonly ProcessInfo[],
): DetectedIde | undefined {
  for (const ide of Object.values(ides)) {
    const sign = ide.sign(env);
    if (sign === undefined) continue;
    return { ide: ide === ides.jetbrains ? (findProduct(lineage) ?? toIdeInfo(ide)) : toIdeInfo(ide), sign };
  }
  for (const process of lineage) {
    const ide = toEditor(process);
    if (ide) return { ide: toIdeInfo(ide), sign: `process ${process.pid} is ${process.name}` };
  }
  return undefined;
}

function toEditor({ name, command }: ProcessInfo): IdeInfo | undefined {
  const program = path.win32
    .basename(name)
    .replace(/\.exe$/i, "")
    .toLowerCase();
  const found = programs.find(([pattern]) => pattern.test(program))?.[1];
  if (found) return found;
  // A path with spaces in it hides the program's name.
  if (command.includes("/Visual Studio Code.app/")) return ides.vscode;
  return /JetBrains/i.test(command) && !/jetbrains-toolbox/i.test(command) ? toProduct(command) : undefined;
}

const findProduct = (lineage: readonly ProcessInfo[]) =>
  lineage.map(({ command }) => toProduct(command)).find((ide) => ide !== undefined);

const toProduct = (command: string): IdeInfo | undefined =>
  jetbrainsProducts.find(([inCommand]) => command.toLowerCase().includes(inCommand))?.[1];
