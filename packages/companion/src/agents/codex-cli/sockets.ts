import path from "node:path";
import type { Host } from "../../system/host.ts";
import { ownUid, type Uid } from "../../system/private-file.ts";
import { localPath } from "../../transport/local-socket.ts";
import { codexHome } from "../homes.ts";

/** Where the CLI asks, in its order. Versions before 0.169 know the second alone. */
export interface CodexSockets {
  readonly current: string;
  /** The same on Windows. */
  readonly former: string;
}

export function codexSockets(
  host: Host,
  uid: Uid = ownUid(),
  platform: NodeJS.Platform = process.platform,
): CodexSockets {
  const pipe = "codex-ipc";
  const file = uid === 0 ? "ipc.sock" : `ipc-${uid}.sock`;
  return {
    current: localPath({ folder: path.join(codexHome(host), "ipc"), file: "ipc.sock", pipe }, platform),
    former: localPath({ folder: path.join(host.tmp, "codex-ipc"), file, pipe }, platform),
  };
}
