import path from "node:path";
import type { Host } from "../../system/host.ts";

/** Where its specification wants the file, which it does not read. */
export function documentedFolders(host: Host): [outer: string, inner: string] {
  const outer = path.join(host.tmp, "qwen");
  return [outer, path.join(outer, "ide")];
}

/** The folder of the lock files that it reads. */
export const lockFolder = (host: Host): string => path.join(qwenHome(host), "ide");

/** `$QWEN_HOME`, in which the CLI expands a leading tilde, or `~/.qwen`, or that in tmp when there is no home. */
export function qwenHome({ env, home, tmp }: Host): string {
  const given = env.QWEN_HOME;
  if (!given) return path.join(home || tmp, ".qwen");
  if (!/^~([\\/]|$)/.test(given)) return path.resolve(given);
  return path.join(home, ...given.slice(1).split(/[\\/]+/));
}
