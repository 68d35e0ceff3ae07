import { execFile } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import type { Agent, AgentCli, Host } from "../../agents/index.ts";
import { findExecutable } from "../find-executable.ts";
import { failed, note, ok, type Step } from "./step.ts";

const run = promisify(execFile);

const Package = z.object({
  name: z.string(),
  version: z.string(),
  engines: z.object({ node: z.string().optional() }).optional(),
});
type Package = z.infer<typeof Package>;

/** Whether the CLI is installed, in which version, and whether this terminal has the Node that it asks for. */
export async function examineProgram(agent: Agent, cli: AgentCli, host: Host): Promise<Step> {
  const file = findExecutable(agent.command, host);
  if (file === undefined) {
    const evidence = `there is no ${agent.command} in your PATH`;
    return failed("program", [evidence], `Install it: ${agent.installCommand}`);
  }
  const found = readPackage(file, cli.packageName);
  if (found === undefined) return note("program", `${file}, in a version that cannot be told`);
  const evidence = `${found.version}, ${file}`;
  const node = await tooOldNode(found, host);
  // It may run all the same: nothing but its author's word is against it.
  if (node) return note("program", evidence, `it asks for Node ${node.needed}, and finds ${node.version}`);
  const known = found.version === cli.knownVersion;
  if (known) return ok("program", evidence);
  return note("program", evidence, `what follows is what version ${cli.knownVersion} does`);
}

/** The package that an executable belongs to: it is a link into it, or stands beside `node_modules` on Windows. */
function readPackage(executable: string, name: string): Package | undefined {
  const beside = path.join(path.dirname(executable), "node_modules", name);
  for (let folder = path.dirname(realpathSync(executable)); ; folder = path.dirname(folder)) {
    for (const candidate of [folder, beside]) {
      const found = parsePackage(path.join(candidate, "package.json"));
      if (found?.name === name) return found;
    }
    if (folder === path.dirname(folder)) return undefined;
  }
}

function parsePackage(file: string): Package | undefined {
  try {
    return Package.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    return undefined; // there is none here
  }
}

/** The Node that the executable would run with, if that is older than the package wants. */
async function tooOldNode({ engines }: Package, { env }: Host) {
  const needed = Number(/(\d+)/.exec(engines?.node ?? "")?.[1]);
  if (!needed) return undefined;
  try {
    const { stdout } = await run("node", ["--version"], { env: { ...env }, timeout: 5000 });
    const version = stdout.trim();
    return Number(/^v(\d+)/.exec(version)?.[1]) < needed ? { needed, version } : undefined;
  } catch {
    return undefined; // no Node in the PATH: it brings its own, or its start will tell
  }
}
