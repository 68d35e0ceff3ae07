import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Host } from "../../packages/companion/src/system/host.ts";

/** Private home, temporary folder, workspace and processes; all end with `remove` or with this process. */
export interface Sandbox {
  readonly folder: string;
  readonly workspace: string;
  readonly host: Host;
  /** Variables for processes in the sandbox. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends a process with the sandbox. @returns the process */
  own<Child extends ChildProcess>(child: Child): Child;
  /** @param work runs before the folder is removed, in reverse order; synchronous, because this process may be exiting */
  undo(work: () => void): void;
  /** Idempotent. */
  remove(): void;
}

export function createSandbox(): Sandbox {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ide-companion-torture-")));
  const make = (name: string) => {
    mkdirSync(join(folder, name), { mode: 0o700 });
    return join(folder, name);
  };
  const [home, tmp, workspace] = [make("home"), make("tmp"), make("workspace")] as const;
  const undoing = new Set<() => void>();
  const remove = () => {
    process.off("exit", remove);
    for (const work of [...undoing].reverse()) work();
    undoing.clear();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  process.once("exit", remove);
  return {
    folder,
    workspace,
    host: { tmp, home, env: {}, delimiter },
    env: {
      HOME: home,
      USERPROFILE: home,
      TMPDIR: tmp,
      TMP: tmp,
      TEMP: tmp,
      PATH: process.env.PATH ?? "",
      LANG: "C.UTF-8",
    },
    own(child) {
      const kill = () => void child.kill("SIGKILL");
      undoing.add(kill);
      child.once("exit", () => undoing.delete(kill));
      return child;
    },
    undo: (work) => void undoing.add(work),
    remove,
  };
}
