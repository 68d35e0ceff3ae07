import { InstallError, type Machine } from "../../editors/set-up/plan.ts";
import { suggest } from "../arguments.ts";
import { type Invocation, UsageError } from "../invocation.ts";
import { ask, canAsk } from "../terminal/ask.ts";
import { toDisplayPath } from "../terminal/text.ts";
import { type Installer, installers } from "./installers.ts";

/**
 * Those that the words of the command line name, each once.
 * @throws UsageError when there is none of a name
 */
export function findNamed(words: readonly string[]): readonly Installer[] {
  const names = installers.map(({ name }) => name);
  return [...new Set(words)].map((word) => {
    const found = installers.find(({ name }) => name === word);
    if (found) return found;
    throw new UsageError(`${word} cannot be set up: known are ${names.join(", ")}${suggest(word, names)}`);
  });
}

/**
 * Offers what is on this machine. Where nobody can be asked, or need not be, it is every editor.
 * @throws InstallError when there is nothing to offer
 */
export async function offer(invocation: Invocation, machine: Machine): Promise<readonly Installer[]> {
  const { arguments: given, out } = invocation;
  const found = findPrograms(machine);
  const editors = found.map(({ installer }) => installer).filter(({ kind }) => kind === "editor");
  if (editors.length === 0) {
    throw new InstallError(
      "none of the editors that are known is in your PATH: name one, as in ide-companion install neovim",
    );
  }
  if (given.has("yes") || given.has("dry-run")) return editors;
  const width = Math.max(...found.map(({ installer }) => installer.displayName.length));
  out.line(out.paint.bold("On this machine"));
  out.line();
  for (const [index, { installer, program }] of found.entries()) {
    const { displayName, kind } = installer;
    const what = kind === "agent" ? `IDE mode in its settings, ${program}` : program;
    const number = out.paint.cyan(String(index + 1).padStart(4));
    const place = out.paint.dim(toDisplayPath(what, machine.host.home));
    out.line(`${number}  ${out.paint.plain(displayName.padEnd(width))}  ${place}`);
  }
  out.line();
  const offered = found.map(({ installer }) => installer);
  for (;;) {
    const answer = await ask("Which? Numbers or names, Enter for every editor, q for none: ");
    if (answer === undefined) return canAsk() ? [] : editors;
    const choice = parseAnswer(answer, offered);
    if (typeof choice !== "string") return choice;
    out.line(out.paint.yellow(choice));
  }
}

/** The installers whose program is here, with its absolute path. */
function findPrograms({ find }: Machine) {
  const offered = installers.filter(({ kind }) => kind !== "command");
  return offered.flatMap((installer) => {
    const program = installer.programs.map(find).find((file) => file !== undefined);
    return program === undefined ? [] : [{ installer, program }];
  });
}

/** What was chosen from a numbered list; or a sentence about what is wrong with the answer. */
export function parseAnswer(answer: string, offered: readonly Installer[]): readonly Installer[] | string {
  const words = answer
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== "");
  const [first = "yes", ...others] = words;
  if (others.length === 0 && /^(y|yes|a|all)$/.test(first))
    return offered.filter(({ kind }) => kind === "editor");
  if (others.length === 0 && /^(q|quit|n|no|none)$/.test(first)) return [];
  const chosen = new Set<Installer>();
  for (const word of words) {
    const installer = offered.find(({ name }, index) => word === name || word === String(index + 1));
    if (!installer)
      return `There is no ${word} in this list: type numbers from 1 to ${offered.length}, or names.`;
    chosen.add(installer);
  }
  return [...chosen];
}
