import { spawn } from "node:child_process";
import path from "node:path";
import type { FileOpener } from "../core/editor.ts";

/** Opens files by a command of the user's settings. No shell reads it: a path is never more than an argument. */
export function createFileOpener([program = "", ...given]: readonly string[]): FileOpener {
  return {
    name: path.basename(program),
    open: ({ path, line = 1 }) =>
      new Promise((resolve, reject) => {
        const values = { file: path, line: String(line) } as const;
        const fill = (word: string) =>
          word.replace(/\{(file|line)\}/g, (_, name: keyof typeof values) => values[name]);
        const editor = spawn(program, given.map(fill), { detached: true, stdio: "ignore" });
        editor.once("error", reject).once("exit", (code) => {
          if (code) reject(new Error(`it ended with ${code}`));
        });
        editor.once("spawn", resolve).unref();
      }),
  };
}
