import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CopilotFault } from "../contracts/copilot-cli/faults.ts";
import { lockFolder } from "../contracts/locking.ts";
import { isJson } from "../wire/json-rpc.ts";
import { addressIn, type Example } from "./example-editor.ts";
import { mirrorFiles, readLock } from "./file-mirror.ts";
import { createProxy } from "./http-proxy.ts";
import { hostIn, startOurs } from "./our-companion.ts";

export interface CopilotOptions {
  /** The CLI's own folder, where it looks for companions. */
  readonly home: string;
  readonly folders: readonly string[];
  readonly fault?: CopilotFault | undefined;
}

/** Our companion for Copilot CLI; with a fault, behind a proxy that has it. */
export async function startOurCopilot({ home, folders, fault }: CopilotOptions): Promise<Example> {
  const inner = fault ? path.join(home, "behind") : home;
  const host = hostIn(path.dirname(home), { COPILOT_HOME: inner });
  mkdirSync(host.tmp, { recursive: true });
  if (!fault) return startOurs({ folders, served: ["copilot"], host });
  mkdirSync(lockFolder(home), { recursive: true, mode: 0o700 });
  fault.start?.(lockFolder(home));
  const ours = await startOurs({ folders, served: ["copilot"], host });
  const lock = await readLock(inner);
  const { socketPath: behind, headers } = lock.content;
  const token = isJson(headers) ? String(headers.Authorization) : "";
  const folder = mkdtempSync(path.join(host.tmp, "p-"));
  chmodSync(folder, fault.socketFolderMode ?? 0o700);
  const socketPath = addressIn(folder, "mcp.sock");
  const server = createProxy({
    behind: { socketPath: String(behind) },
    token,
    sessionHeader: "x-copilot-session-id",
    fault,
  });
  const listen = () => void server.listen(socketPath, () => chmodSync(socketPath, 0o600));
  if (fault.listensAfter === undefined) listen();
  else setTimeout(listen, fault.listensAfter);
  const names = ["proxy.lock", ...(fault.extraLock ?? [])];
  const paths = names.map((name) => path.join(lockFolder(home), name));
  const stop = await mirrorFiles({
    files: new Map([[lock.path, paths]]),
    fault,
    address: { socketPath },
    replaces: fault.replacesLock,
  });
  return {
    ...ours,
    async close() {
      if (!fault.lockLast) stop();
      await ours.close();
      server.close();
      await delay(20);
      server.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
      if (!fault.lockLast) return;
      await delay(500);
      stop();
    },
  };
}
