import path from "node:path";
import type { Host } from "../../system/host.ts";
import { ownUid } from "../../system/private-file.ts";
import { localPath } from "../../transport/local-socket.ts";
import { codexHome } from "../homes.ts";

/** Where the CLI asks, in its order. Versions before 0.169 know the second alone; both are the same on Windows. */
export function codexSockets(host: Host, uid = ownUid(), platform = process.platform) {
  const pipe = "codex-ipc";
  const file = uid === 0 ? "ipc.sock" : `ipc-${uid}.sock`;
  return {
    current: localPath({ folder: path.join(codexHome(host), "ipc"), file: "ipc.sock", pipe }, platform),
    former: localPath({ folder: path.join(host.tmp, "codex-ipc"), file, pipe }, platform),
  };
}
