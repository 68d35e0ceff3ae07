import { watch } from "node:fs";
import { basename, dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isListening } from "../../../target/machine.ts";
import { isJson } from "../../../wire/json-rpc.ts";
import { byStart, byUser, demand, demandNone } from "../../check.ts";
import { isBoolean, isName, optional, problemsOfFields } from "../../fields.ts";
import { lockChecks, openFolder } from "../../lock-file.ts";
import { observed, recommended } from "../../requirement.ts";
import { type CopilotTarget, copilotLocking } from "../lock-file.ts";
import type { CopilotGroup } from "./means.ts";

/** What the CLI reads of a lock file. */
const fields = {
  socketPath: isName,
  scheme: isName,
  headers: (value: unknown) => isJson(value) && Object.values(value).every(isName),
  pid: Number.isInteger,
  ideName: isName,
  timestamp: (value: unknown) => typeof value === "number" && value > 1e12,
  workspaceFolders: (value: unknown) => Array.isArray(value) && value.every(isName),
  isTrusted: optional(isBoolean),
};

/** Whether the socket of the first lock file that appears answers at that moment. */
async function firstAnswer(own: string, signal: AbortSignal): Promise<boolean | undefined> {
  while (!signal.aborted) {
    const [lock] = await copilotLocking.read([own]);
    if (lock) return isListening(String(lock.content.socketPath));
    await delay(5);
  }
  return undefined;
}

const locks = lockChecks<CopilotTarget>(
  copilotLocking,
  ({ socketPath }, target) => socketPath === target.socketPath,
);

export const discoveryRules: CopilotGroup = {
  PD1: {
    MUST: "A lock file `<home>/ide/<name>.lock` holds a JSON object with `socketPath`, `scheme`, `headers`, `pid`, `ideName`, `timestamp` and `workspaceFolders`. `<home>` is `$COPILOT_HOME` or `~/.copilot`.",
    sources: observed("The CLI skips a lock file in which one of these is missing or has another type."),
    check: "lock-fields",
    async run({ target }) {
      demandNone(problemsOfFields(target.lock.content, fields));
    },
    fault: { lock: (content) => ({ ...content, timestamp: "today" }), says: /^timestamp is "today"$/ },
  },
  PD2: {
    isSecurity: true,
    MUST: "Nobody but its user can read the lock file (mode 0600) or list its folder (0700).",
    sources: recommended("Anybody who has the headers can put texts before the user's eyes."),
    ...locks.mode,
  },
  PD3: {
    MUST: "`pid` is the number of a process that runs.",
    sources: observed("The CLI skips the lock file of a dead process."),
    ...locks.process,
  },
  PD4: {
    MUST: "`workspaceFolders` has the real path of each open folder.",
    sources: observed("At its start the CLI connects when its folder equals one of these."),
    ...locks.folders,
  },
  PD5: {
    MUST: "The companion listens before it writes the lock file.",
    sources: observed("The CLI connects as soon as it reads the file."),
    check: "listens-first",
    ...byStart,
    async run({ start }) {
      const reading = new AbortController();
      let first: Promise<boolean | undefined> = Promise.resolve(undefined);
      try {
        await start({
          prepare: async (sandbox) => {
            first = firstAnswer(copilotLocking.ownFolderIn(sandbox), reading.signal);
          },
        });
        demand((await first) === true, "when the lock file was there, nobody listened on its socket");
      } finally {
        reading.abort();
      }
    },
    fault: { listensAfter: 700, says: /nobody listened on its socket/ },
  },
  PD6: {
    SHOULD: "One companion has one lock file, with all of its folders.",
    sources: observed("`/ide` has a line for each folder of each file."),
    ...locks.one,
  },
  PD7: {
    SHOULD: "When a folder is opened, the lock file names it too.",
    sources: observed(
      "The CLI watches the folder of the files, and connects when a file changes that matches.",
    ),
    ...locks.opened,
  },
  PD8: {
    MUST: "A lock file is changed in place: it is neither replaced nor removed as long as the companion runs.",
    sources: observed("The CLI takes a file that is renamed over it for the end of the companion."),
    check: "lock-in-place",
    ...byUser,
    async run(means) {
      const { path } = means.target.lock;
      let isReplaced = false;
      // As the CLI watches it: a name that comes or goes is "rename", and new content is "change".
      const watcher = watch(dirname(path), (event, name) => {
        isReplaced ||= event === "rename" && name === basename(path);
      });
      try {
        await openFolder(means, "one-more", copilotLocking.read);
        await delay(means.limits.quiet);
      } finally {
        watcher.close();
      }
      demand(!isReplaced, `when a folder was opened, another file took the place of ${path}`);
    },
    fault: {
      replacesLock: true,
      says: /when a folder was opened, another file took the place of .*\.lock/,
    },
  },
  PD9: {
    MUST: "`isTrusted` is absent, unless the user has trusted the folders in the editor.",
    sources: observed("With `true` the CLI does not ask its user whether to trust the folder."),
    unchecked: "Whether the user trusts a folder is not seen from outside.",
  },
};
