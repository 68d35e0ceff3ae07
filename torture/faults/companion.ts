import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CompanionProcess,
  type CompanionProcessOptions,
  spawnCompanion as spawn,
  whenServing,
} from "../../packages/testkit/src/companion-process.ts";
import { WireClient } from "../../packages/testkit/src/fake-cli/gemini-family.ts";
import type { Sandbox } from "../harness/sandbox.ts";
import { demand } from "./fixture.ts";

/** A companion for the workspace of a sandbox, with which it ends. */
export function spawnCompanion(sandbox: Sandbox, options: CompanionProcessOptions = {}): CompanionProcess {
  const companion = spawn({ cwd: sandbox.workspace, ...options, env: { ...sandbox.env, ...options.env } });
  sandbox.own(companion.child);
  return companion;
}

/** One that serves the workspace with its page, and can be found. */
export type ServingCompanion = Awaited<ReturnType<typeof startCompanion>>;

export async function startCompanion(sandbox: Sandbox, options?: CompanionProcessOptions) {
  const companion = spawnCompanion(sandbox, options);
  const { link, port } = await whenServing(companion);
  const client = (agent: "gemini" | "qwen" = "gemini") => clientOf(sandbox, agent, port);
  return Object.assign(companion, {
    port,
    /** The link to its page; it opens once. */
    link,
    /** A CLI that has found it. */
    client,
    /** Whether it serves as if nothing had happened: a new CLI gets a diff, and its decision. */
    async proveThatItServes() {
      const cli = await client().initialize();
      const stream = await cli.openStream();
      const filePath = join(sandbox.workspace, "proof.txt");
      const { result } = await cli.call("openDiff", { filePath, newContent: "proof\n" });
      demand(result, "openDiff is answered");
      await cli.call("rejectDiff", { filePath });
      await stream.method("ide/diffRejected");
      await stream.close();
    },
  });
}

/** Absolute paths of all discovery files of a sandbox; also of those that are being written. */
export function discoveryFiles({ host: { tmp, home } }: Sandbox): readonly string[] {
  return [tmp, join(tmp, "gemini", "ide"), join(tmp, "qwen", "ide"), join(home, ".qwen", "ide")]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((file) => /\.(json|lock|tmp)$/.test(file));
}

/** Those that are whole: a file that is being written has another name. */
export const wholeFiles = (sandbox: Sandbox) =>
  discoveryFiles(sandbox).filter((file) => !file.endsWith(".tmp"));

/** Of the companions that can be found in a sandbox. */
export function portsOf(sandbox: Sandbox): readonly number[] {
  return discoveryFiles(sandbox).flatMap((file) => /(\d+)\.lock$/.exec(file)?.slice(1).map(Number) ?? []);
}

/** A CLI that finds a companion of a sandbox: the only one, when no port is named. */
export function clientOf(
  sandbox: Sandbox,
  agent: "gemini" | "qwen",
  port: number = portsOf(sandbox)[0] ?? 0,
): WireClient {
  for (const file of wholeFiles(sandbox).filter((path) => path.includes(agent))) {
    const content = JSON.parse(readFileSync(file, "utf8"));
    if (content?.port === port) return new WireClient(port, String(content.authToken));
  }
  throw new Error(`no discovery file of ${agent} has the token for port ${port}`);
}
