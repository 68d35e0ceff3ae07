import { spawn } from "node:child_process";
import { ended, processTree } from "../../packages/testkit/src/process-tree.ts";
import type { Resident, Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";

/** A pseudo terminal without any multiplexer: what is typed goes in, what is printed comes out, in order. */
export interface PlainPty extends Resident {
  type(text: string): void;
  /** Waits until this was printed after the last `type`. @returns what was found */
  waitFor(wanted: string | RegExp, options?: { readonly within?: number }): Promise<string>;
}

export async function startPlainPty(
  sandbox: Sandbox,
  command: string,
  options: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<PlainPty> {
  const child = spawn("script", ["-qfec", `stty cols 140 rows 50; exec ${command}`, "/dev/null"], {
    cwd: options.cwd,
    env: { ...sandbox.env, ...options.env },
    stdio: "pipe",
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error("script did not start");
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is to go
  const plain = () => printed.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "");
  return sandbox.own({
    type(text) {
      printed = "";
      child.stdin.write(text);
    },
    waitFor(wanted, options) {
      const pattern = typeof wanted === "string" ? wanted : wanted.source;
      const find = () =>
        typeof wanted === "string" ? plain().includes(wanted) && wanted : wanted.exec(plain())?.[0];
      return poll(`${pattern} on the plain terminal`, () => find() || undefined, {
        describe: plain,
        ...options,
      });
    },
    describe: () => `--- plain terminal\n${plain()}`,
    async close() {
      const pids = await processTree(pid);
      child.stdin.end();
      child.kill("SIGHUP");
      await ended(pids);
    },
  });
}
