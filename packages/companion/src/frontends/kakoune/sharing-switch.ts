import path from "node:path";
import { createPauseMarks } from "../../core/sharing/pause-marks.ts";
import type { Host } from "../../system/host.ts";

/** Pauses what agents are sent of a folder, in all of its companions. */
export interface SharingSwitch {
  pause(): void;
  /** Also where a folder above is paused. */
  resume(): void;
}

/** @param root absolute */
export function createSharingSwitch(host: Host, root: string): SharingSwitch {
  const marks = createPauseMarks(host);
  return {
    pause: () => marks.add([root]),
    resume() {
      for (const folder of foldersAbove(root)) marks.remove([folder]);
    },
  };
}

function foldersAbove(folder: string): readonly string[] {
  const above = path.dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}
