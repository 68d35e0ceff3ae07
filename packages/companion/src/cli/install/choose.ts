import { type Invocation, UsageError } from "../invocation.ts";
import { suggest } from "../suggestion.ts";
import { toDisplayPath } from "../terminal/display-path.ts";
import { ask } from "./ask.ts";
import { InstallError, type Installer, type Machine } from "./installer.ts";
import { installers } from "./installers.ts";

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

interface Found {
  readonly installer: Installer;
  /** Absolute path of its program. */
  readonly program: string;
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
  const answer = await ask("Which? Numbers, or Enter for every editor, or q for none: ");
  return answer === undefined
    ? editors
    : parseAnswer(
        answer,
        found.map(({ installer }) => installer),
      );
}

function findPrograms({ find }: Machine): readonly Found[] {
  return installers.flatMap((installer) => {
    const program = installer.programs.map(find).find((file) => file !== undefined);
    return program === undefined ? [] : [{ installer, program }];
  });
}

/**
 * What was chosen from a numbered list.
 * @throws UsageError when it cannot be understood
 */
export function parseAnswer(answer: string, offered: readonly Installer[]): readonly Installer[] {
  const words = answer.split(/[\s,]+/).filter((word) => word !== "");
  if (words.length === 0) return offered.filter(({ kind }) => kind === "editor");
  if (words.length === 1 && /^[qn]/i.test(answer.trim())) return [];
  return [...new Set(words)].map((word) => {
    const chosen = /^\d+$/.test(word) ? offered[Number(word) - 1] : undefined;
    if (chosen) return chosen;
    throw new UsageError(`a number must be from 1 to ${offered.length}, got ${word}`);
  });
}
