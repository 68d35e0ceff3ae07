import { spawn } from "node:child_process";

/**
 * Runs a program to its end, its output shown.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean }} [options]
 *   `quiet` keeps the output back; it is part of the error when the program fails.
 * @returns {Promise<void>}
 * @throws {Error} when it cannot be started or ends with anything but 0
 */
export async function command(program, args, options = {}) {
  const { code, output } = await attempt(program, args, options);
  if (code === 0) return;
  const line = [program, ...args].join(" ");
  throw new Error(`${line} ended with ${code}${output === "" ? "" : `:\n${output}`}`);
}

/**
 * The same, but the caller judges the exit code.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean, signal?: AbortSignal }} [options]
 *   `signal` ends the program, whose end is waited for then as well.
 * @returns {Promise<{ code: number | NodeJS.Signals | null, output: string }>} `output` is empty unless quiet
 */
export function attempt(program, args, { quiet = false, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const out = quiet ? "pipe" : "inherit";
    const child = spawn(program, args, { ...options, stdio: ["ignore", out, out] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    const finish = (code, signal) => resolve({ code: code ?? signal, output });
    child.once("error", (error) => {
      if (error.name !== "AbortError") return reject(error);
      // What it has started may hold its output for longer than it lives.
      child.once("exit", finish);
    });
    child.once("close", finish);
  });
}
