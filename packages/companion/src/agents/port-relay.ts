import path from "node:path";
import { messageOf } from "../system/error-message.ts";
import { readdressHost } from "../transport/loopback.ts";
import type { Relay, RelayOptions } from "./agent.ts";
import { toAddress } from "./discovery/find-companions.ts";

/**
 * A relay to which CLIs come by a port, and which they find by their agent's files, as they find a companion there.
 * @param port on which it listens
 */
export function createPortRelay(
  { companion, onTrouble }: RelayOptions,
  port: number,
  close: () => Promise<void>,
) {
  /** The port by which the CLIs come: the companion must not know it. */
  let farPort: number | undefined;
  return {
    port,
    /** A `Host` header as the companion is to see it. */
    toHost: (host: string) => readdressHost(host, farPort, companion.port),
    async announce({ host, pid, ports, makeFolder, writeFile }, roots) {
      farPort = ports.get(port);
      const address = { ...toAddress(companion), port: farPort ?? 0, roots, pid, serverPid: pid };
      const failures: string[] = [];
      const files = companion.agent.discoveryFiles(address, host);
      for (const { path: file, content, folders } of files) {
        try {
          for (const folder of folders) await makeFolder(toSlashes(folder));
          await writeFile(toSlashes(file), JSON.stringify(content));
        } catch (error) {
          failures.push(messageOf(error));
        }
      }
      if (failures.length === files.length) throw new Error(failures.join("; "));
      for (const failure of failures) onTrouble(failure);
    },
    close,
  } satisfies Relay & { toHost(host: string): string };
}

const toSlashes = (file: string) => file.replaceAll(path.sep, "/");
