import { type ChildProcess, spawn } from "node:child_process";

/** How a platform ends a program and all that it has started. */
export interface Ending {
  /** Whether a started program gets its own process group, so that one signal reaches all of it. */
  readonly hasGroups: boolean;
  /** How to ask a program to end: by the signal, or by closing its standard input if it cannot handle signals. */
  gentle(signal: NodeJS.Signals): "signal" | "end-of-input";
  /** The command that kills a process tree; undefined if a signal to the group does. */
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

/** Kills what is left of a program. */
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
