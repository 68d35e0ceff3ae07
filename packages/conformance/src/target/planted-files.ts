import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { currentKinds, type FileKind, folderOf } from "./discovery-file.ts";
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
  const names: Readonly<Record<(typeof currentKinds)[number], string>> = {
    gemini: `gemini-ide-server-${pid}-${port}.json`,
    qwen: `qwen-code-ide-server-${pid}-${port}.json`,
    "qwen-lock": `${port}.lock`,
  };
  const planted: PlantedFile[] = [];
  for (const kind of currentKinds) {
    const folder = folderOf(kind, systemFolders);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, names[kind]);
    const content = kind === "qwen-lock" ? { ...common, ppid: pid } : common;
    await writeFile(file, JSON.stringify(content), { mode: 0o600 });
    planted.push({ kind, path: file });
  }
  return planted;
}
