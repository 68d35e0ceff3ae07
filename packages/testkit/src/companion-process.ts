import { type SpawnOptions, spawn } from "node:child_process";
import { join } from "node:path";
import { poll } from "./waiting.ts";

/** As it is shipped; `npm run build` makes it. */
export const executable = join(import.meta.dirname, "../../companion/dist/ide-companion.js");

/** Characters of its output that are kept: under an hour of attacks it prints too much to store. */
const kept = 100_000;

export interface CompanionProcessOptions extends Pick<SpawnOptions, "cwd" | "env" | "stdio"> {
  readonly args?: readonly string[];
  /** What runs its script, with arguments; the Node of the tests when absent. */
  readonly program?: readonly string[];
  readonly script?: string;
}

export type CompanionProcess = ReturnType<typeof spawnCompanion>;

/** The companion's executable in a separate process. */
export function spawnCompanion(options: CompanionProcessOptions) {
  const { args = ["--no-open"], program = [process.execPath], script = executable, ...others } = options;
  const [first = "", ...rest] = [...program, script, ...args];
  const child = spawn(first, rest, { stdio: ["ignore", "pipe", "pipe"], ...others });
  let output = "";
  let hasEnded = false;
  // What it says to somebody at its standard input is a protocol.
  for (const stream of child.stdin ? [child.stderr] : [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-kept);
    });
  }
  const end = new Promise<number | NodeJS.Signals>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      hasEnded = true;
      resolve(code ?? signal ?? 0);
    });
  });
  end.catch(() => {}); // those who wait for it learn why it did not start
  const look = (wanted: string | RegExp) => () => {
    const found = typeof wanted === "string" ? output.includes(wanted) && [wanted] : wanted.exec(output);
    if (!found && hasEnded) throw new Error(`the companion has ended, before ${wanted}:\n${output}`);
    return found || undefined;
  };
  return {
    child,
    pid: child.pid ?? 0,
    /** What it has printed; without its standard output when that is a protocol's. */
    output: () => output,
    /** Its exit code, or the signal that has ended it. */
    end,
    get hasEnded() {
      return hasEnded;
    },
    /** Waits until it has printed this. @returns what was found @throws Error when it has ended before */
    says: (wanted: string | RegExp): Promise<readonly string[]> =>
      poll(`${wanted} from the companion`, look(wanted), { every: 50, describe: () => output }),
  };
}

/** Waits until one serves, with its page. @returns the link to the page, which opens once, and where the CLIs connect */
export async function whenServing(companion: CompanionProcess): Promise<{ link: string; port: number }> {
  const start = /(http:\/\/127\.0\.0\.1:\d+\/\S+)[\s\S]*Port +(\d+)[\s\S]*Restart one/;
  const [, link = "", port] = await companion.says(start);
  return { link, port: Number(port) };
}
