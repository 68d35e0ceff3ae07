import { readdirSync, rmdirSync } from "node:fs";
import path from "node:path";
import type { Host } from "../../system/host.ts";
import { pidIsAlive } from "../../system/liveness.ts";
import { removeFile } from "../../system/private-file.ts";
import { type LocalName, localPath } from "../../transport/local-socket.ts";

const file = "copilot.sock";

/** Where a companion listens: in a separate folder, whose name has the process. */
export function toSocketName(host: Host, id: string, pid = process.pid): LocalName {
  const name = `ide-companion-${pid}-${id}`;
  return { folder: path.join(host.tmp, name), file, pipe: name };
}

/** Removes the socket and its folder. Never throws. */
export function removeSocketFolder(folder: string): void {
  removeFile(localPath({ folder, file, pipe: "" }, "linux"));
  try {
    rmdirSync(folder);
  } catch {
    // It is gone, or not ours, or somebody has put something else there.
  }
}

/** Removes what companions have left that were killed. */
export function sweepSocketFolders({ tmp }: Host, isAlive = pidIsAlive): void {
  for (const name of namesIn(tmp)) {
    const [, pid] = /^ide-companion-(\d+)-[\w-]{6,}$/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) removeSocketFolder(path.join(tmp, name));
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // closed to us: then there is nothing of ours
  }
}
