import { existsSync } from "node:fs";
import path from "node:path";
import type { Host } from "./host.ts";

/** The program of a command in the PATH of this terminal. @returns its absolute path */
export function findExecutable(command: string, { env, delimiter }: Host): string | undefined {
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const endings = process.platform === "win32" ? (env.PATHEXT ?? ".CMD").split(";") : [""];
  return folders
    .flatMap((folder) => endings.map((ending) => path.join(folder, `${command}${ending}`)))
    .find((file) => existsSync(file));
}
