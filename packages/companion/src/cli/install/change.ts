import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { ExtensionPart, Machine } from "../../editors/set-up/plan.ts";
import { statsOf } from "../../editors/set-up/text-file.ts";

/** One change of the machine, as it is shown and made. */
export type Change =
  /** `from` is copied to `path`, or nothing stays there. */
  | {
      readonly kind: "folder";
      readonly path: string;
      readonly from: string | undefined;
      /** Of what is there; undefined when nothing is. */
      readonly hash: string | undefined;
    }
  /** A side that is undefined is no file. */
  | {
      readonly kind: "file";
      readonly path: string;
      readonly before: string | undefined;
      readonly after: string | undefined;
    }
  | { readonly kind: "extension"; readonly does: "install" | "uninstall"; readonly part: ExtensionPart };

/** The folders above a path that are not there yet, outermost first. */
export function missingFolders(target: string): readonly string[] {
  const folder = path.dirname(target);
  if (folder === target || statsOf(folder)) return [];
  return [...missingFolders(folder), folder];
}

/** The version of an extension that the editor has; undefined when it has none. */
export async function installedVersion(
  { program, id }: Pick<ExtensionPart, "program" | "id">,
  { run }: Machine,
): Promise<string | undefined> {
  const list = await run(program, ["--list-extensions", "--show-versions"]);
  const line = list.split(/\r?\n/).find((each) => each.toLowerCase().startsWith(`${id}@`));
  return line?.slice(id.length + 1).trim();
}

/** Puts it in the place of every other version. */
export const installExtension = ({ program, file }: ExtensionPart, { run }: Machine): Promise<string> =>
  run(program, ["--install-extension", file, "--force"]);

export const uninstallExtension = (
  { program, id }: Pick<ExtensionPart, "program" | "id">,
  { run }: Machine,
): Promise<string> => run(program, ["--uninstall-extension", id]);

/** The files below a folder, as paths relative to it, in a fixed order. */
export function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .toSorted();
}

/** Changes with every name and every byte; undefined when there is no folder. */
export function hashFolder(folder: string): string | undefined {
  if (!statsOf(folder)?.isDirectory()) return undefined;
  const hash = createHash("sha256");
  for (const file of listFiles(folder)) {
    const bytes = readFileSync(path.join(folder, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}
