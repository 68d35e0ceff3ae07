import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { eventually } from "../../../../../testkit/src/eventually.ts";
import { agents } from "../../../agents/agents.ts";
import { DiscoveryFile } from "../../../agents/gemini-family/contract/discovery.ts";
import type { Host } from "../../../system/host.ts";

/** Absolute paths of the files by which an agent finds companions. */
export function discoveryFiles(host: Host, name: "gemini" | "qwen"): readonly string[] {
  const folders = agents.find((agent) => agent.name === name)?.discoveryFolders(host) ?? [];
  return folders.flatMap((folder) =>
    namesIn(folder.path)
      .filter((file) => folder.parseName(file) !== undefined)
      .map((file) => path.join(folder.path, file)),
  );
}

/** What an agent finds, once there is something to find. */
export function discoveryContents(host: Host, name: "gemini" | "qwen"): Promise<DiscoveryFile> {
  return eventually(() => {
    const [file] = discoveryFiles(host, name);
    expect(file).toBeDefined();
    return DiscoveryFile.parse(JSON.parse(readFileSync(file ?? "", "utf8")));
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not made yet
  }
}
