import { readFile } from "node:fs/promises";
import { knownFiles } from "../scripts/known-files.mjs";
import { inRepository } from "../scripts/repository.mjs";

/** Pages for those who work on ide-companion: their commands are steps of CI, or take hours. */
const forDevelopers = /^(docs\/inside\/|CONTRIBUTING\.md|AGENTS\.md|CHANGELOG\.md|.*\/CHANGELOG\.md)/;

/** Programs that install, or start what they have installed. */
const installers = /^(npm|npx|pnpm|yarn|bun|bunx|brew|scoop|nix|code|vsce|ovsx)\b/;

/**
 * @returns {Promise<{ file: string, line: string }[]>} every command line of the README and the users' pages that
 *   installs something, without its comment; those of code blocks, and `npm install` in a sentence
 */
export async function installLines() {
  const files = (await knownFiles("*.md")).filter((file) => !forDevelopers.test(file));
  const found = await Promise.all(
    files.map(async (file) =>
      linesIn(await readFile(inRepository(file), "utf8")).map((line) => ({ file, line })),
    ),
  );
  return found.flat();
}

/** @returns {string[]} of one page */
export function linesIn(markdown) {
  const fenced = [...markdown.matchAll(/^```(?:console|sh|bash)?\n(.*?)^```$/gms)].flatMap(([, code]) =>
    code.split("\n"),
  );
  const indented = [...markdown.matchAll(/^ {4}(\S.*)$/gm)].map(([, line]) => line);
  const inline = [...markdown.matchAll(/`(npm install [^`]+)`/g)].map(([, line]) => line);
  return [...fenced, ...indented, ...inline]
    .map((line) => line.replace(/^\$ /, "").replace(/\s+#.*$/, ""))
    .filter((line) => installers.test(line));
}
