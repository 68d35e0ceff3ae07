import { type ChildProcess, spawn } from "node:child_process";
import { ended, killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Resident, Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { patience, poll } from "../../packages/testkit/src/waiting.ts";
import { companionScript } from "./installed.ts";

/** The companion's executable, started as a user would. */
export interface Companion extends Resident {
  readonly pid: number;
  /** Where the CLIs connect. */
  readonly port: number;
  /** The link to the page; it opens once. */
  readonly link: string;
  /** All that it printed so far. */
  output(): string;
  /** Waits until it has printed this. */
  says(wanted: string | RegExp): Promise<void>;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Ends it as a user would. @returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface CompanionOptions {
  /** Folders or files as typed on the command line; the workspace when absent. */
  readonly args?: readonly string[];
  readonly cwd?: string;
  /** The Node that runs it; that of the tests when absent. */
  readonly node?: string;
}

const startPattern = /(http:\/\/127\.0\.0\.1:\d+\/\S+)[\s\S]*Port +(\d+)/;

export async function startCompanion(sandbox: Sandbox, options: CompanionOptions = {}): Promise<Companion> {
  const child = spawn(
    options.node ?? process.execPath,
    [companionScript, ...(options.args ?? []), "--no-open"],
    {
      cwd: options.cwd ?? sandbox.workspace,
      env: sandbox.env,
      stdio: "pipe",
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const pid = child.pid;
  if (pid === undefined) throw new Error(`the companion did not start: ${companionScript}`);
  const says = (wanted: string | RegExp) => waitForOutput(child, () => output, wanted);
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    await ended([pid]);
    return child.exitCode;
  };
  const companion = sandbox.own({
    pid,
    port: 0,
    link: "",
    output: () => output,
    async says(wanted: string | RegExp) {
      await says(wanted);
    },
    kill: () => killTree(pid),
    stop,
    describe: () => `--- companion ${pid}\n${output.trimEnd()}`,
    async close() {
      if (child.exitCode === null && child.signalCode === null) await stop();
    },
  });
  const [, link, port] = await says(startPattern);
  return Object.assign(companion, { link: link ?? "", port: Number(port) });
}

function waitForOutput(child: ChildProcess, output: () => string, wanted: string | RegExp) {
  const look = () => {
    const found =
      typeof wanted === "string" ? (output().includes(wanted) ? [wanted] : null) : output().match(wanted);
    if (found !== null) return found;
    if (child.exitCode !== null)
      throw new Error(`the companion has ended with ${child.exitCode}:\n${output()}`);
    return undefined;
  };
  return poll(`${wanted} from the companion`, look, { within: patience, every: 50, describe: output });
}
