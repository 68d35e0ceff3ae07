import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { killTree } from "../../packages/testkit/src/process-tree.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";

/** Debian's `nobody`. */
const uid = 65_534;

/** Only root can be somebody else. */
export const canBeOtherUser = process.platform === "linux" && process.getuid?.() === 0;

/** Another user of the same machine, who runs a program and no friends here. */
export interface OtherUser {
  /**
   * Runs a module's text as that user.
   * @param given the script has it as `given`
   * @returns what it has written by `tell(value)`
   */
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it with what they expect
  runs(script: string, given: unknown): Promise<any>;
  /** Starts a module's text as that user, which runs until the sandbox ends. Resolves once it has reported something. */
  starts(script: string, given: unknown): Promise<OtherProcess>;
}

export interface OtherProcess {
  readonly pid: number;
  /** What it has written by `tell(value)`, oldest first. */
  readonly reports: readonly unknown[];
}

/** Makes the sandbox's temporary folder one that all users share, as `/tmp` is. */
export async function shareWith(sandbox: Sandbox): Promise<OtherUser> {
  await chmod(dirname(sandbox.tmp), 0o755);
  await chmod(sandbox.tmp, 0o1777);
  await chmod(sandbox.home, 0o700);
  const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", TMPDIR: sandbox.tmp };
  const options = { uid, gid: uid, env, cwd: "/" };
  return {
    async runs(script, given) {
      const { stdout } = await promisify(execFile)(process.execPath, toArguments(script, given), options);
      return JSON.parse(stdout);
    },
    async starts(script, given) {
      const stdio = ["ignore", "pipe", "inherit"] as const;
      const child = spawn(process.execPath, toArguments(script, given), { ...options, stdio: [...stdio] });
      const { pid, stdout } = child;
      if (pid === undefined || stdout === null) throw new Error("the other user's program did not start");
      sandbox.own({ close: () => killTree(pid) });
      const reports: unknown[] = [];
      const lines = createInterface({ input: stdout });
      lines.on("line", (line) => reports.push(JSON.parse(line)));
      await once(lines, "line");
      return { pid, reports };
    },
  };
}

function toArguments(script: string, given: unknown): readonly string[] {
  const prologue = `const given = ${JSON.stringify(given)};
    const tell = (value) => console.log(JSON.stringify(value));\n`;
  return ["--input-type=module", "--eval", prologue + script];
}
