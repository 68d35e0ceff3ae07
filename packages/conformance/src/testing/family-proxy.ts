import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { agentNames } from "../agents.ts";
import type { FamilyFault } from "../contracts/gemini-family/faults.ts";
import type { SystemFolders } from "../target/folders.ts";
import type { Example } from "./example-editor.ts";
import { mirrorFiles } from "./file-mirror.ts";
import { createProxy } from "./http-proxy.ts";
import { hostIn, startOurs } from "./our-companion.ts";

export interface FamilyOptions {
  /** Where CLIs look for it. */
  readonly systemFolders: SystemFolders;
  readonly folders: readonly string[];
  readonly fault?: Partial<FamilyFault> | undefined;
}

/** Our companion for Gemini CLI and Qwen Code; with a fault, behind a proxy that has it. */
export async function startOurFamily({ systemFolders, folders, fault }: FamilyOptions) {
  const { tmp, homes } = systemFolders;
  const behind = (folder: string) => (fault ? path.join(folder, "behind") : folder);
  const env = { QWEN_HOME: behind(homes.qwen ?? "") };
  const host = { ...hostIn(path.dirname(tmp), env), tmp: behind(tmp) };
  fault?.prepare?.(systemFolders);
  mkdirSync(host.tmp, { recursive: true });
  const ours = await startOurs({ folders, served: agentNames, host });
  return fault ? withFault(ours, fault) : ours;
}

async function withFault(
  ours: Awaited<ReturnType<typeof startOurs>>,
  fault: Partial<FamilyFault>,
): Promise<Example & { readonly port: number }> {
  const server = createProxy({
    behind: { port: ours.port },
    token: `Bearer ${tokenOf(ours.discoveryFiles)}`,
    sessionHeader: "mcp-session-id",
    fault,
  });
  server.listen(fault.port ?? 0, fault.host ?? "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  /** Where CLIs find a file: in the folder before the one behind, under the port of the proxy. */
  const pathsOf = (file: string) => {
    const own = path.basename(file).replace(new RegExp(`\\b${ours.port}(?=\\.\\w+$)`), String(port));
    const name = fault.fileName ? fault.fileName(own) : own;
    const folder = path.dirname(file).replace(`${path.sep}behind`, "");
    return name === undefined ? [] : [path.join(folder, name)];
  };
  const stop = await mirrorFiles({
    files: new Map(ours.discoveryFiles.map((file) => [file, pathsOf(file)])),
    fault,
    address: { port },
    folderMode: fault.folderMode,
    replaces: !fault.inPlace,
  });
  ours.editor.environment = fault.environment?.(ours.env) ?? ours.env;
  return {
    ...ours,
    port,
    endsBy: fault.endsBy ?? ours.endsBy ?? [],
    async close() {
      if (fault.stays) return;
      stop();
      server.close();
      server.closeAllConnections();
      await ours.close();
    },
  };
}

function tokenOf(files: readonly string[]): string {
  const file = files.find((each) => path.basename(each).startsWith("gemini")) ?? "";
  return JSON.parse(readFileSync(file, "utf8")).authToken;
}
