import { constants } from "node:os";
import spawn from "cross-spawn";
import { codeOf } from "../../system/error-message.ts";
import { exitCodes } from "../invocation.ts";

export interface CliCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** How a CLI ended, or that there is none. */
export type CliEnd = { readonly exitCode: number } | { readonly missing: true };

/** Sent to us alone, by a script or a closing terminal: the CLI must hear of them. */
const forwarded: readonly NodeJS.Signals[] = ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"];

/**
 * Runs a CLI in this terminal to its end.
 * @throws Error when it is there but cannot be started
 */
export function startCli({ command, args, env }: CliCall): Promise<CliEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { stdio: "inherit", env });
    const forward = (signal: NodeJS.Signals) => void child.kill(signal);
    // Ctrl-C reaches the CLI by the terminal, and it decides what that means.
    const interrupt = () => {
      if (!process.stdin.isTTY) child.kill("SIGINT");
    };
    process.on("SIGINT", interrupt);
    for (const signal of forwarded) process.on(signal, forward);
    const finish = () => {
      process.off("SIGINT", interrupt);
      for (const signal of forwarded) process.off(signal, forward);
    };
    child.once("error", (error) => {
      finish();
      if (codeOf(error) === "ENOENT") resolve({ missing: true });
      else reject(error);
    });
    child.once("exit", (code, signal) => {
      finish();
      resolve({ exitCode: code ?? exitCodes.signal + (signal ? constants.signals[signal] : 0) });
    });
  });
}
