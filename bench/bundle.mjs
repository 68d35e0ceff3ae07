import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

/** The measured servers, by name. */
export const kinds = ["floor", "sdk", "ours", "companion", "lsp-floor"];

const servers = join(import.meta.dirname, "servers");
const buildExecutable = join(import.meta.dirname, "../packages/companion/build.mjs");

/** The executable as it ships, built from the present sources. */
export const executableIn = (bundles) => join(bundles, "executable", "ide-companion.js");

/** What the executable loads first to be measured, as a URL. */
export const probeIn = (bundles) => pathToFileURL(join(bundles, "probe.mjs")).href;

/** Runs the executable as a hook or a user does. @param input what it reads, as JSON */
export async function runExecutable({ bundles, sandbox, env = sandbox.env }, args, input) {
  const child = spawn(process.execPath, [executableIn(bundles), ...args], {
    ...{ cwd: sandbox.workspace, env },
    stdio: ["pipe", "ignore", "inherit"],
  });
  child.stdin.end(input === undefined ? "" : JSON.stringify(input));
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${args.join(" ")} has ended with ${code}`);
}

/**
 * Builds the executable, and bundles every server as the executable is, so that none loses time on finding
 * its modules.
 * @see packages/companion/build.mjs
 * @param {string} bundles folder where to
 */
export async function bundleServers(bundles) {
  await promisify(execFile)(process.execPath, [buildExecutable, join(bundles, "executable")]);
  await Promise.all([...kinds, "probe"].map((kind) => bundleServer(kind, bundles)));
}

/** One by one: together they would share chunks, and each would load what only another one needs. */
async function bundleServer(kind, bundles) {
  await build({
    entryPoints: [join(servers, `${kind}.mjs`)],
    outdir: bundles,
    outExtension: { ".js": ".mjs" },
    chunkNames: `${kind}-[name]-[hash]`,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    logLevel: "error",
  });
}
