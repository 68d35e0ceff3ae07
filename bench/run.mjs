import "../scripts/node-version.mjs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleServers } from "./bundle.mjs";
import { figures, tables } from "./figures/index.mjs";
import { judge, toTable, writeInto } from "./report.mjs";
import { createFolders } from "./testkit.mjs";

const document = join(import.meta.dirname, "../docs/inside/benchmarks.md");

const help = `Usage: node bench/run.mjs [figure…] [--rounds N] [--write]

Measures the companion's speed and memory, together with those of a bare node:http server (the floor)
and a minimal server on the MCP SDK, and prints a table of medians [lowest..highest].

Figures, all by default:
${Object.keys(figures)
  .map((name) => `  ${name}`)
  .join("\n")}

Options:
  --rounds N  how often each measurement is repeated, the servers in turn (5)
  --write     write the tables into docs/inside/benchmarks.md; needs all figures of a table
  --help      this text

Ends with 1 when a figure misses what it must reach.`;

async function main() {
  const options = parse();
  if (options.help) return console.log(help);
  const sandbox = await createFolders();
  // Servers end with this process; the folder has to be removed.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => {
      sandbox.remove();
      process.exit(1);
    });
  }
  try {
    const bundles = join(sandbox.folder, "bundles");
    await bundleServers(bundles);
    const load = loadavg()[0]; // always 0 on Windows
    const bench = { bundles, sandbox, rounds: options.rounds };
    const rows = [];
    for (const [table, names] of Object.entries(options.tables)) {
      const own = await measure(names, bench);
      const text = `${describeMachine(options.rounds, load)}\n\n${toTable(own)}`;
      console.log(`\n${text}`);
      if (options.write) await writeInto(document, table, text);
      rows.push(...own);
    }
    if (rows.some((row) => row.must !== undefined && judge(row) === "missed")) process.exitCode = 1;
  } finally {
    sandbox.remove();
  }
}

async function measure(names, bench) {
  const rows = [];
  for (const name of names) {
    const start = performance.now();
    rows.push(...(await figures[name](bench)));
    console.error(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
  return rows;
}

function parse() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "5" },
      write: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new Error(`--rounds must be a positive whole number, got ${values.rounds}`);
  }
  const unknown = positionals.find((name) => !Object.hasOwn(figures, name));
  if (unknown !== undefined) {
    throw new Error(`unknown figure ${unknown}: there are ${Object.keys(figures).join(", ")}`);
  }
  return { ...values, rounds, tables: chosen(positionals, values.write) };
}

/** The given names by table; all when none is given. */
function chosen(names, write) {
  const byTable = Object.entries(tables).map(([table, own]) => {
    const all = Object.keys(own);
    const some = names.length === 0 ? all : all.filter((name) => names.includes(name));
    if (write && some.length > 0 && some.length < all.length) {
      throw new Error(`--write needs every figure of a table: ${all.join(", ")}`);
    }
    return [table, some];
  });
  return Object.fromEntries(byTable.filter(([, some]) => some.length > 0));
}

function describeMachine(rounds, load) {
  const processors = cpus();
  return `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${processors.length} × ${processors[0]?.model.trim()}, ${rounds} rounds, load ${load.toFixed(1)} before.`;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
