import { join } from "node:path";
import {
  type CompanionProcess,
  type CompanionProcessOptions,
  spawnCompanion as spawn,
  whenServing,
} from "../../packages/testkit/src/companion-process.ts";
import { WireClient } from "../../packages/testkit/src/fake-cli/gemini-family.ts";
import { findDiscovered, readDiscovered } from "../harness/discovered.ts";
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

/** Absolute paths of the discovery files of Gemini CLI and Qwen Code; also of those that are being written. */
export const discoveryFiles = (sandbox: Sandbox): readonly string[] =>
  familyOf(sandbox).map(({ path }) => path);

/** Those that are whole: a file that is being written has another name. */
export const wholeFiles = (sandbox: Sandbox) =>
  discoveryFiles(sandbox).filter((file) => !file.endsWith(".tmp"));

/** Of the companions that can be found in a sandbox. */
export const portsOf = (sandbox: Sandbox): readonly number[] =>
  familyOf(sandbox).flatMap(({ path, port }) => (path.endsWith(".lock") ? [port] : []));

/** Claude Code has a port of its family. */
const familyOf = ({ host }: Sandbox) => readDiscovered(host).filter(({ agent }) => agent !== "claude");

/** A CLI that finds a companion of a sandbox: the only one, when no port is named. */
export const clientOf = (
  sandbox: Sandbox,
  agent: "gemini" | "qwen",
  port: number = portsOf(sandbox)[0] ?? 0,
): WireClient => new WireClient(port, findDiscovered(sandbox.host, port, agent).token);
