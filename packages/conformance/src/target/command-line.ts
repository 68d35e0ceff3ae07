import { statSync } from "node:fs";
import path from "node:path";

/**
 * The words of a command line; a part in single or double quotes is one word, or part of one.
 * @throws Error for a quote that is not closed
 */
export function toWords(line: string): string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*'|["'])+/g)) {
    const parts = word.match(/[^"']+|"[^"]*"|'[^']*'|["']/g) ?? [];
    if (parts.some((part) => part === '"' || part === "'"))
      throw new Error(`a quote is not closed in ${line}`);
    words.push(parts.map((part) => part.replace(/^(["'])(.*)\1$/s, "$2")).join(""));
  }
  return words;
}

/**
 * A command that means the same when it runs in another folder: words that name a file here become absolute.
 * @param words program and arguments; a program without a slash is for PATH to find
 * @param folder the current one
 */
export function fromHere(
  [program = "", ...args]: readonly string[],
  folder: string,
  isFile: (file: string) => boolean = isFileOnDisk,
): string[] {
  const settle = (word: string) => {
    const file = path.resolve(folder, word);
    return word !== "" && isFile(file) ? file : word;
  };
  return [/[\\/]/.test(program) ? settle(program) : program, ...args.map(settle)];
}

function isFileOnDisk(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
