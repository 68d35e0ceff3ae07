import type { ChildProcess } from "node:child_process";
import { delimiter } from "node:path";
import type { Host } from "../../packages/companion/src/system/host.ts";
import { createPrivateFolders } from "../../packages/testkit/src/private-folders.ts";

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
  const folders = createPrivateFolders();
  const undoing = new Set<() => void>();
  const remove = () => {
    process.off("exit", remove);
    for (const work of [...undoing].reverse()) work();
    undoing.clear();
    folders.remove();
  };
  process.once("exit", remove);
  const { folder, workspace, home, tmp, env } = folders;
  return {
    folder,
    workspace,
    host: { tmp, home, env: {}, delimiter },
    env,
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
