import { spawn } from "node:child_process";
import { join } from "node:path";
import { endTree, killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";
import { newerNode } from "./installed.ts";

/** An editor that shows itself in a browser. Its terminals and extensions live in the sandbox that it runs in. */
export type ServedEditor = NonNullable<Awaited<ReturnType<typeof startOnce>>>;

export interface ServedEditorOptions {
  readonly name: string;
  /** A script and its arguments. */
  readonly command: readonly string[];
  /** What runs it; the newer Node by default. */
  readonly node?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Finds the address in what it prints. */
  readonly address: RegExp;
}

/** Those of two processes give each other some seconds to answer, which on a busy machine may not do: they end, and start again. */
export function startServedEditor(sandbox: Sandbox, options: ServedEditorOptions): Promise<ServedEditor> {
  return poll(`${options.name} that stays`, () => startOnce(sandbox, options));
}

/** @returns undefined when it has ended before it listened */
async function startOnce(
  sandbox: Sandbox,
  { name, command, node = join(newerNode, "node"), env, address }: ServedEditorOptions,
) {
  const child = spawn(node, command, { cwd: sandbox.workspace, env, stdio: "pipe" });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} did not start: ${command.join(" ")}`);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const resident = sandbox.own({
    /** Ends it, and everything it has started, as a crash would. */
    kill: () => killTree(pid),
    describe: () => `--- ${name}\n${output.trimEnd()}`,
    close: () => endTree(child),
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const look = () => address.exec(output)?.[1] ?? (hasEnded() ? "" : undefined);
  const url = await poll(`address of ${name}`, look, { every: 50, describe: () => output });
  return url === "" ? undefined : { ...resident, pid, url };
}
