import { execFile } from "node:child_process";
import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { World } from "./world.ts";

/** Debian's `nobody`. */
const uid = 65_534;

/** Only root can be somebody else. */
export const canBeOtherUser = process.platform === "linux" && process.getuid?.() === 0;

/** Another user of the same machine, who has a program of their own and no friends here. */
export interface OtherUser {
  /**
   * Runs a module's text as that user.
   * @param given the script has it as `given`
   * @returns what it has written by `tell(value)`
   */
  // biome-ignore lint/suspicious/noExplicitAny: tests compare it with what they expect
  runs(script: string, given: unknown): Promise<any>;
}

/** Makes the world's temporary folder one that all users share, as `/tmp` is. */
export async function shareWith(world: World): Promise<OtherUser> {
  await chmod(dirname(world.tmp), 0o755);
  await chmod(world.tmp, 0o1777);
  await chmod(world.home, 0o700);
  return {
    async runs(script, given) {
      const prologue = `const given = ${JSON.stringify(given)};
        const tell = (value) => console.log(JSON.stringify(value));\n`;
      const args = ["--input-type=module", "--eval", prologue + script];
      const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", TMPDIR: world.tmp };
      const options = { uid, gid: uid, env, cwd: "/" };
      const { stdout } = await promisify(execFile)(process.execPath, args, options);
      return JSON.parse(stdout);
    },
  };
}
