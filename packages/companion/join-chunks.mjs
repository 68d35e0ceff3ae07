import { rm } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";

/** What a chunk exports, by the names that these have in the joined file. @typedef {Map<string, string>} Exports */

/**
 * Joins the chunks that a start loads into `chunks/start`, from which all other files import then: Node takes almost a
 * millisecond for each file, however small.
 * @param {string} folder absolute; of the bundle
 * @param {import("esbuild").Metafile["outputs"]} outputs
 * @param {readonly string[]} roots names of the files that a start loads, without hash and extension
 * @param {import("esbuild").BuildOptions} options of the bundle
 */
export async function joinChunks(folder, outputs, roots, options) {
  const toFile = (output) => path.resolve(options.absWorkingDir ?? "", output);
  const scripts = Object.keys(outputs).filter((output) => /\.m?js$/.test(output));
  const extension = path.extname(scripts[0] ?? "");
  const joined = path.join(folder, "chunks", `start${extension}`);
  const isRoot = (output) => roots.includes(path.basename(output, extension).replace(/-[A-Z0-9]{8}$/, ""));
  const started = closureOf(outputs, scripts.filter(isRoot)).filter((output) => !outputs[output]?.entryPoint);
  /** @type {Map<string, Exports>} */
  const chunks = new Map(
    started.map((output, index) => {
      const names = outputs[output]?.exports ?? [];
      return [toFile(output), new Map(names.map((name) => [`c${index}_${name}`, name]))];
    }),
  );
  const common = { ...options, banner: {}, splitting: false, allowOverwrite: true };
  const all = [...chunks].map(([file, names]) =>
    reexport(
      [...names].map(([to, name]) => [name, to]),
      file,
    ),
  );
  await build({
    ...common,
    ...{ entryPoints: undefined, stdin: { contents: all.join("\n"), resolveDir: folder } },
    ...{ outdir: undefined, outfile: joined },
    plugins: [laterParts],
  });
  const others = scripts.filter((output) => !started.includes(output)).map(toFile);
  await build({
    ...common,
    entryPoints: others.map((file) => ({
      in: file,
      out: path.relative(folder, file.slice(0, -extension.length)),
    })),
    plugins: [importsFrom(joined, chunks)],
  });
  await Promise.all([...chunks.keys()].map((file) => rm(file)));
}

/** The files that some load at once, these included. */
function closureOf(outputs, roots) {
  const found = new Set(roots);
  for (const output of found) {
    for (const { path: imported, kind, external } of outputs[output]?.imports ?? [])
      if (kind === "import-statement" && !external) found.add(imported);
  }
  return [...found];
}

/** @param {readonly (readonly [string, string])[]} names each there, and here */
const reexport = (names, from) =>
  `export { ${names.map(([there, here]) => `${there} as ${here}`).join()} } from ${JSON.stringify(from)};`;

/**
 * Leaves what is loaded later where it lies.
 * @type {import("esbuild").Plugin}
 */
const laterParts = {
  name: "later-parts",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./, namespace: "file" }, ({ path: given, kind }) =>
      kind === "dynamic-import" ? { path: given, external: true } : undefined,
    ),
};

/**
 * Takes from the joined file what came from its chunks, and leaves all other files where they lie.
 * @param {string} joined absolute
 * @param {Map<string, Exports>} chunks by their files
 * @returns {import("esbuild").Plugin}
 */
const importsFrom = (joined, chunks) => ({
  name: "imports-from-joined",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ path: given, resolveDir, namespace }) => {
      const file = path.resolve(resolveDir, given);
      if (namespace === "joined" || !chunks.has(file)) return { path: given, external: true };
      const there = path.relative(resolveDir, joined).replaceAll("\\", "/");
      return { path: file, namespace: "joined", suffix: `?./${there}` };
    });
    onLoad({ filter: /.*/, namespace: "joined" }, ({ path: file, suffix }) => ({
      contents: reexport([...(chunks.get(file) ?? [])], suffix.slice(1)),
    }));
  },
});
