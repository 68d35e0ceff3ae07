import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { WireClient } from "../../packages/testkit/src/fake-cli/gemini-family.ts";
import type { Fixture } from "./fault.ts";

/** As it is shipped. */
export const executable = join(import.meta.dirname, "../../packages/companion/dist/ide-companion.js");

/** Long enough for a machine that is busy, in milliseconds. */
const patience = 30_000;

export interface ProcessOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What starts it, as `unshare -n`. */
  readonly prefix?: readonly string[];
  readonly script?: string;
  readonly cwd?: string;
  readonly stdio?: StdioOptions;
}

/** A real companion. */
export interface CompanionProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** All that it has printed. */
  output(): string;
  /** Waits until it has printed this. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** The exit code, or the signal that ended it. */
  readonly end: Promise<number | NodeJS.Signals>;
  readonly hasEnded: boolean;
}

export function spawnCompanion({ sandbox, undo }: Fixture, options: ProcessOptions = {}): CompanionProcess {
  const { args = ["--no-open"], prefix = [], script = executable } = options;
  const [program = "", ...rest] = [...prefix, process.execPath, script, ...args];
  const child = sandbox.own(
    spawn(program, rest, {
      cwd: options.cwd ?? sandbox.workspace,
      env: { ...sandbox.env, ...options.env },
      stdio: options.stdio ?? ["ignore", "pipe", "pipe"],
    }),
  );
  let output = "";
  let hasEnded = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const end = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      hasEnded = true;
      resolve(code ?? signal ?? 0);
    });
  });
  undo(async () => {
    if (hasEnded) return;
    child.kill("SIGCONT");
    child.kill("SIGKILL");
    await end;
  });
  const companion: CompanionProcess = {
    child,
    pid: child.pid ?? 0,
    output: () => output,
    end,
    get hasEnded() {
      return hasEnded;
    },
    says: (pattern) =>
      until(`${pattern} from the companion`, () => pattern.exec(output) ?? undefined, {
        isOver: () => hasEnded,
        describe: () => output,
      }),
  };
  return companion;
}

/** One that serves the workspace with its page, and can be found. */
export interface ServingCompanion extends CompanionProcess {
  readonly port: number;
  /** The link to its page; it opens once. */
  readonly link: string;
  /** A CLI that has found it. */
  client(agent?: "gemini" | "qwen"): WireClient;
  /** Whether it serves as if nothing had happened: a new CLI gets a diff, and its decision. */
  proveThatItServes(): Promise<void>;
}

export async function startCompanion(fixture: Fixture, options?: ProcessOptions): Promise<ServingCompanion> {
  const companion = spawnCompanion(fixture, options);
  const [, link = "", port] = await companion.says(
    /(http:\/\/127\.0\.0\.1:\d+\/\S+)[\s\S]*Port +(\d+)[\s\S]*or from any/,
  );
  const client = (agent: "gemini" | "qwen" = "gemini") =>
    new WireClient(Number(port), tokenOf(fixture, Number(port), agent));
  return Object.assign(companion, {
    port: Number(port),
    link,
    client,
    async proveThatItServes() {
      const cli = await client().initialize();
      const stream = await cli.openStream();
      const filePath = join(fixture.sandbox.workspace, "proof.txt");
      demand(
        (await cli.call("openDiff", { filePath, newContent: "proof\n" })).result,
        "openDiff is answered",
      );
      await cli.call("rejectDiff", { filePath });
      await stream.method("ide/diffRejected");
      await stream.close();
    },
  });
}

/** Absolute paths of all discovery files of a sandbox; also of those that are being written. */
export function discoveryFiles({ sandbox }: Fixture): readonly string[] {
  const { tmp, home } = sandbox.host;
  return [tmp, join(tmp, "gemini", "ide"), join(tmp, "qwen", "ide"), join(home, ".qwen", "ide")]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((file) => /\.(json|lock|tmp)$/.test(file));
}

/** Those that are whole: a file that is being written has another name. */
export const wholeFiles = (fixture: Fixture) =>
  discoveryFiles(fixture).filter((file) => !file.endsWith(".tmp"));

/** Of the companions that can be found in a sandbox. */
export function portsOf(fixture: Fixture): readonly number[] {
  return discoveryFiles(fixture).flatMap((file) => /(\d+)\.lock$/.exec(file)?.slice(1).map(Number) ?? []);
}

/** A CLI that finds a companion of a sandbox: the only one, when no port is named. */
export function clientOf(
  fixture: Fixture,
  agent: "gemini" | "qwen",
  port: number = portsOf(fixture)[0] ?? 0,
): WireClient {
  return new WireClient(port, tokenOf(fixture, port, agent));
}

function tokenOf(fixture: Fixture, port: number, agent: "gemini" | "qwen"): string {
  for (const file of wholeFiles(fixture).filter((path) => path.includes(agent))) {
    const content: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof content !== "object" || content === null || !("authToken" in content)) continue;
    if ("port" in content && content.port === port) return String(content.authToken);
  }
  throw new Error(`no discovery file of ${agent} has the token for port ${port}`);
}

/** Polls until there is a value. @throws Error naming `what`, and what was seen instead */
export async function until<Value>(
  what: string,
  find: () => Value | undefined | Promise<Value | undefined>,
  { isOver = () => false, describe = () => "" }: { isOver?: () => boolean; describe?: () => string } = {},
): Promise<Value> {
  const deadline = performance.now() + patience;
  for (;;) {
    const over = isOver() || performance.now() > deadline;
    const found = await find();
    if (found !== undefined) return found;
    if (over) throw new Error(`no ${what}; seen instead:\n${describe()}`);
    await delay(20);
  }
}

/** @throws Error that names the promise which does not hold */
export function demand(holds: unknown, promise: string): void {
  if (!holds) throw new Error(`broken: ${promise}`);
}
