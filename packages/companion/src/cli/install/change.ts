import path from "node:path";
import type { ExtensionPart } from "../../editors/set-up/plan.ts";
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
