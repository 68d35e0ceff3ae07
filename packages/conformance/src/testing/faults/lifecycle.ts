import { rmSync, statSync } from "node:fs";
import path from "node:path";
import { namesIn } from "../../example/discovery.ts";
import { folderOf } from "../../target/discovery-file.ts";
import type { Fault } from "./fault.ts";

/** By the check that catches it. */
export const lifecycleFaults: Readonly<Record<string, Fault>> = {
  "server-first": {
    rules: { filesFirst: true },
    says: /when gemini-ide-server-\d+-0\.json appeared, its port was not open yet/,
  },
  "files-removed": { rules: { removes: false }, says: /after SIGTERM .* is still there/ },
  "server-stops": { rules: { ends: false }, says: /it did not end within/ },
  "hang-up": { rules: { endsBy: ["SIGTERM"] }, says: /after SIGHUP .* is still there/ },
  sweep: { rules: { sweep: () => {} }, says: /of a dead process is still there/ },
  "living-files": {
    // Takes every file that is older than a day for stale.
    rules: {
      sweep: (systemFolders) => {
        const folder = folderOf("gemini-file", systemFolders);
        for (const name of namesIn(folder)) {
          const file = path.join(folder, name);
          if (Date.now() - statSync(file).mtimeMs > 86_400_000) rmSync(file);
        }
      },
    },
    says: /it has removed .*, of a running process/,
  },
};
