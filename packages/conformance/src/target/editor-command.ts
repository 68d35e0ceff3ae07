import { execFile } from "node:child_process";
import { NotRun } from "../assertions.ts";
import { EditorFailed, type Perform } from "./editor-hook.ts";

/** The exit code that says: this editor cannot do that. */
const cannot = 3;

export interface EditorCommandOptions {
  /** Program and first arguments. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Milliseconds that one action may take. */
  readonly within: number;
}

/** Runs a program for each action: `COMMAND open FILE LINE COLUMN`. */
export function createEditorCommand({ command, cwd, env, within }: EditorCommandOptions): Perform {
  const [program = "", ...first] = command;
  return (action, args) =>
    new Promise((resolve, reject) => {
      execFile(
        program,
        [...first, action, ...args],
        { cwd, env, timeout: within },
        (error, stdout, stderr) => {
          if (!error) return resolve(stdout);
          const said = stderr.trim() === "" ? "" : `: ${stderr.trim()}`;
          if (error.code === cannot)
            return reject(new NotRun(`the editor command cannot do "${action}"${said}`));
          const how = error.killed
            ? `did not end within ${within / 1000} s`
            : `failed (${error.code ?? error.signal})`;
          reject(new EditorFailed(`the editor command "${action}" ${how}${said}`));
        },
      );
    });
}
