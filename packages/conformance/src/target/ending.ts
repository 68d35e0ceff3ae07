import { type ChildProcess, spawn } from "node:child_process";

/** How a system ends a program and all that it has started. */
export interface Ending {
  /** Whether what is started gets a process group of its own, which a signal reaches as a whole. */
  readonly hasGroups: boolean;
  /** What a signal becomes: itself, or the end of standard input, where no signal lets a program tidy up. */
  gentle(signal: NodeJS.Signals): "signal" | "end-of-input";
  /** The command that ends a process and all below it at once; undefined where a signal to its group does. */
  killCommand(pid: number): readonly [program: string, ...args: string[]] | undefined;
}

export function endingOn(platform: NodeJS.Platform): Ending {
  if (platform !== "win32") {
    return { hasGroups: true, gentle: () => "signal", killCommand: () => undefined };
  }
  return {
    hasGroups: false,
    // Every signal is TerminateProcess there.
    gentle: (signal) => (signal === "SIGKILL" ? "signal" : "end-of-input"),
    killCommand: (pid) => ["taskkill", "/PID", String(pid), "/T", "/F"],
  };
}

/** Asks a program to end. */
export function askToEnd(child: ChildProcess, signal: NodeJS.Signals, ending: Ending): void {
  if (ending.gentle(signal) === "signal") child.kill(signal);
  else child.stdin?.end();
}

/** Ends at once whatever is left of a program. */
export async function killAll(pid: number, ending: Ending): Promise<void> {
  const [program, ...args] = ending.killCommand(pid) ?? [];
  if (program === undefined) return killGroup(pid);
  await new Promise<void>((resolve) => {
    const child = spawn(program, args, { stdio: "ignore" });
    child.once("close", () => resolve());
    child.once("error", () => resolve()); // no such program
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}

/** Why a companion that did not end when asked proves nothing on this platform; undefined where it proves a fault. */
export function whyUnknown(platform: NodeJS.Platform): string | undefined {
  if (endingOn(platform).gentle("SIGTERM") === "signal") return undefined;
  return "there is no SIGTERM on Windows, and it does not end with its standard input";
}
