import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import { attempt } from "./command.mjs";
import { inRepository, repository } from "./repository.mjs";

/** A source with fewer lines and a single importer belongs into that importer, if one file can hold both. */
const fewest = 60;
const most = 300;

/** Small sources that stay next to their single importer, and why. */
export const exceptions = {
  "packages/companion/src/agents/agent-hooks.ts": "no folder but this one names the agents",
  "packages/companion/src/system/node-version.ts": "its importer runs the program when it is imported",
  "packages/companion/src/cli/help.ts": "its importer runs the program when it is imported",
  "packages/companion/src/frontends/lsp/fallback-editor.ts":
    "a step of a proposal's walk, which its importer would make 140 lines longer",
  "packages/review-ui/src/editor/diff-worker.ts": "a worker; its importer needs its types alone",
};

/**
 * Sources that are to be folded into the only source that imports them.
 * @returns {Promise<string[]>} a line for each
 * @see docs/inside/decisions/0023-how-large-files-are.md
 */
export async function lonelySources(excepted = exceptions) {
  const { code, output } = await attempt("git", ["ls-files", "-z", "--", "packages/*/src/*"], {
    cwd: repository,
    quiet: true,
  });
  if (code !== 0) return []; // an unpacked archive: nothing is committed
  const paths = output.split("\0").filter((path) => /\.tsx?$/.test(path) && !isForTests(path));
  const sources = await Promise.all(
    // What is deleted and not committed yet has no text.
    paths.map(async (path) => ({ path, text: await readFile(inRepository(path), "utf8").catch(() => "") })),
  );
  const lonely = findLonely(sources).filter(({ path }) => !(path in excepted));
  return lonely.map(({ path, lines, importer }) => `${path}: ${lines} lines, imported by ${importer} alone`);
}

const isForTests = (path) => /\.test\.|\/testing\/|-fixture\.|^packages\/testkit\//.test(path);

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
