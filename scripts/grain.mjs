import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import { parseAst } from "vitest/node";
import { knownFiles } from "./known-files.mjs";
import { inRepository } from "./repository.mjs";

/** A source with fewer lines and a single importer belongs into that importer, if one file can hold both. */
const fewest = 60;
const most = 300;

/** Lines of a function. */
const longest = 80;

/** Small sources that stay next to their single importer, and why. */
export const exceptions = {
  "packages/companion/src/system/node-version.ts": "its importer runs the program when it is imported",
  "packages/companion/src/agents/gemini-family/gemini/agent.ts": "an agent is a folder of three files",
  "packages/companion/src/cli/help.ts": "its importer runs the program when it is imported",
  "packages/companion/src/frontends/lsp/shared-editor.ts":
    "a step of a proposal's walk, which its importer would make 140 lines longer",
  ...Object.fromEntries(
    ["claude-code", "codex-cli", "copilot-cli", "hooks"].map((name) => [
      `packages/conformance/src/contracts/${name}/contract.ts`,
      "a contract is a folder, which begins there",
    ]),
  ),
  "packages/review-ui/src/editor/diff-worker.ts": "a worker; its importer needs its types alone",
};

/**
 * Sources that are to be folded into the only source that imports them.
 * @returns {Promise<string[]>} a line for each
 * @see docs/inside/decisions/0023-how-large-files-are.md
 */
export async function lonelySources(excepted = exceptions) {
  const sources = await readSources(["packages/*/src/*"], /^packages\/testkit\//);
  const lonely = findLonely(sources).filter(({ path }) => !(path in excepted));
  return lonely.map(({ path, lines, importer }) => `${path}: ${lines} lines, imported by ${importer} alone`);
}

/** Functions that are too long. @returns {Promise<string[]>} a line for each */
export async function longFunctions() {
  const sources = await readSources(["*"], /^(e2e|torture|packages\/review-ui\/test)\//);
  return sources.flatMap(({ path, text }) =>
    findLong(path, text).map(({ name, line, lines }) => `${path}:${line}: ${name} has ${lines} lines`),
  );
}

/** Sources without tests. @param {RegExp} left what else is left out */
async function readSources(patterns, left) {
  const isSource = (path) => /\.(tsx?|mts|mjs)$/.test(path) && !isForTests(path) && !left.test(path);
  const read = async (path) => ({ path, text: await readFile(inRepository(path), "utf8") });
  return Promise.all((await knownFiles(...patterns)).filter(isSource).map(read));
}

const isForTests = (path) => /\.test\.|\/testing\/|-fixture\.|\.gen\./.test(path);

/**
 * The functions with more lines than a screen, their signature and blank lines included.
 * @returns {{ name: string, line: number, lines: number }[]} lines from 1
 */
export function findLong(path, text) {
  const lineAt = (offset) => text.slice(0, offset).split("\n").length;
  const found = [];
  const visit = (node, parent) => {
    if (/^(Function|ArrowFunction)/.test(node.type) && node.body) {
      const line = lineAt(node.start);
      const lines = lineAt(node.end) - line + 1;
      const { name = "a function" } = node.id ?? parent.id ?? parent.key ?? {};
      if (lines > longest) found.push({ name, line, lines });
    }
    for (const child of Object.values(node).flat()) if (child?.type) visit(child, node);
  };
  // Shorter files cannot hold such a function.
  if (lineAt(text.length) > longest) visit(parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }));
  return found;
}

/**
 * What loads on demand or publishes is no importer, since it needs a file. An importer that nothing imports runs when it is
 * imported: tests reach its parts only in files, and they stay.
 * @param {{ path: string, text: string }[]} sources
 */
export function findLonely(sources) {
  const all = sources.map(({ path, text }) => ({
    path,
    lines: text.split("\n").length - 1,
    imports: findImports(path, text),
  }));
  const importersOf = (path) =>
    all.flatMap((source) =>
      source.imports.filter(({ target }) => target === path).map(({ kind }) => ({ source, kind })),
    );
  return all.flatMap(({ path, lines }) => {
    const importers = importersOf(path);
    const [{ source, kind } = {}] = importers;
    const isLonely =
      importers.length === 1 &&
      kind === "static" &&
      lines < fewest &&
      lines + source.lines <= most &&
      importersOf(source.path).length > 0;
    return isLonely ? [{ path, lines, importer: source.path }] : [];
  });
}

function findImports(path, text) {
  const statements = /^(import|export)\b[^;]*?"(\.[^"]+)";$|\bimport\("(\.[^"]+)"/gm;
  return [...text.matchAll(statements)].map(([, word, named, loaded]) => ({
    target: posix.join(posix.dirname(path), named ?? loaded),
    kind: word === "import" ? "static" : "other",
  }));
}
