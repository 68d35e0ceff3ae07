import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { FileKind } from "../agents.ts";
import { currentKinds, fileOf, folderOf, nameOf } from "./discovery-file.ts";
import type { Sandbox } from "./started-companion.ts";

/** A discovery file of no companion. */
export interface PlantedFile {
  readonly kind: FileKind;
  readonly path: string;
}

/** Writes the discovery files that a companion of this process would have. */
export async function plantFiles(
  { systemFolders, workspace }: Sandbox,
  pid: number,
  port: number,
): Promise<PlantedFile[]> {
  const ideInfo = { name: "planted", displayName: "Planted" };
  const common = { port, workspacePath: workspace, authToken: "planted-planted-planted", ideInfo };
  const planted: PlantedFile[] = [];
  for (const kind of currentKinds) {
    const folder = folderOf(kind, systemFolders);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, nameOf(kind, { pid, port }));
    const content = fileOf(kind).fields?.includes("ppid") ? { ...common, ppid: pid } : common;
    await writeFile(file, JSON.stringify(content), { mode: 0o600 });
    planted.push({ kind, path: file });
  }
  return planted;
}
