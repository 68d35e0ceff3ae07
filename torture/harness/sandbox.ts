import type { ChildProcess } from "node:child_process";
import { delimiter } from "node:path";
import type { Host } from "../../packages/companion/src/system/host.ts";
import { createPrivateFolders } from "../../packages/testkit/src/private-folders.ts";

export type Sandbox = ReturnType<typeof createSandbox>;

/** Private home, temporary folder, workspace and processes; all end with `remove` or with this process. */
export function createSandbox() {
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
    host: { tmp, home, env: {}, delimiter } satisfies Host,
    /** Variables for processes in the sandbox. */
    env,
    /** Ends a process with the sandbox. @returns the process */
    own<Child extends ChildProcess>(child: Child): Child {
      const kill = () => void child.kill("SIGKILL");
      undoing.add(kill);
      child.once("exit", () => undoing.delete(kill));
      return child;
    },
    /** @param work runs before the folder is removed, in reverse order; synchronous, because this process may be exiting */
    undo: (work: () => void) => void undoing.add(work),
    /** Idempotent. */
    remove,
  };
}
