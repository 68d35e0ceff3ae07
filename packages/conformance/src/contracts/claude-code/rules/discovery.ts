import { realpath } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { byStart, byUser, demand, demandNone } from "../../check.ts";
import { demandPrivate, demandProcess, openFolder } from "../../lock-file.ts";
import { observed, recommended } from "../../requirement.ts";
import { readLocks } from "../target/lock-file.ts";
import type { ClaudeGroup } from "./means.ts";

/** A lock file of somebody else, for `prepare`. */
export const otherLock = (configFolder: string, port: number): string =>
  join(configFolder, "ide", `${port}.lock`);

export const discoveryRules: ClaudeGroup = {
  CD1: {
    level: "MUST",
    rule: 'A lock file `<config>/ide/<port>.lock` holds a JSON object with `pid`, `workspaceFolders`, `ideName`, `transport: "ws"` and `authToken`. `<config>` is `$CLAUDE_CONFIG_DIR` or `~/.claude`.',
    sources: observed(
      "The CLI reads both folders, and the port in the name. With any other `transport` the CLI speaks an older protocol, and sends no token.",
    ),
    check: "lock-fields",
    title: "the lock file has the fields that the CLI reads",
    lane: "wire",
    async run({ target }) {
      const { pid, workspaceFolders, ideName, transport, authToken } = target.lock.content;
      const isText = (value: unknown) => typeof value === "string" && value !== "";
      demandNone([
        ...(Number.isInteger(pid) ? [] : [`pid is ${JSON.stringify(pid)}, not a number`]),
        ...(Array.isArray(workspaceFolders) ? [] : ["workspaceFolders is not a list"]),
        ...(isText(ideName) ? [] : ["ideName is missing"]),
        ...(transport === "ws" ? [] : [`transport is ${JSON.stringify(transport)}, not "ws"`]),
        ...(isText(authToken) ? [] : ["authToken is missing"]),
      ]);
    },
    fault: { lock: (content) => ({ ...content, transport: "sse" }), says: /transport is "sse", not "ws"/ },
  },
  CD2: {
    level: "MUST",
    isSecurity: true,
    rule: "Nobody but its user can read the lock file (mode 0600) or list its folder (0700).",
    sources: recommended("Anybody who has the token can put texts into the user's files."),
    check: "lock-mode",
    title: "only its user can read the lock file and list its folder",
    lane: "wire",
    run: ({ target }) => demandPrivate(target.lock),
    fault: { lockMode: 0o644, says: /the lock file has mode 644, not 600/ },
  },
  CD3: {
    level: "MUST",
    rule: "`pid` is the number of a process that runs.",
    sources: observed("The CLI deletes the lock file of a dead process when it starts."),
    check: "lock-process",
    title: "the lock file names a process that runs",
    lane: "wire",
    async run({ target }) {
      demandProcess(target.lock);
    },
    fault: {
      lock: (content) => ({ ...content, pid: 99_999_999 }),
      says: /pid 99999999 is no process that runs/,
    },
  },
  CD4: {
    level: "MUST",
    rule: "`workspaceFolders` has the real path of each open folder.",
    sources: observed(
      "The CLI connects when its folder is one of these or below one. A symbolic link to its folder does not match.",
    ),
    check: "lock-folders",
    title: "the lock file names the open folders by their real paths",
    ...byStart,
    async run({ start }) {
      const { target, sandbox } = await start();
      const here = await realpath(sandbox.workspace);
      demand(target.roots.includes(here), `${here} is not one of ${JSON.stringify(target.roots)}`);
      for (const root of target.roots) {
        const real = await realpath(root).catch(() => undefined);
        demand(isAbsolute(root) && real === root.replace(/(.)\/$/, "$1"), `${root} is not a real path`);
      }
    },
    fault: {
      lock: (content) => ({ ...content, workspaceFolders: [`${content.workspaceFolders}/.`] }),
      says: /work is not one of \[".*\/work\/\."\]/,
    },
  },
  CD5: {
    level: "MUST",
    rule: "One companion has one lock file, with all of its folders.",
    sources: observed("When two lock files match its folder, the CLI connects to neither."),
    check: "one-lock",
    title: "one companion has one lock file",
    ...byStart,
    async run({ start, limits }) {
      const { target } = await start();
      // Another one may be written after the one by which it was found.
      await delay(limits.quiet);
      const locks = await readLocks(target.configFolders);
      const own = locks.filter(({ content }) => content.authToken === target.token);
      const names = own.map(({ path }) => path);
      demand(names.length === 1, `there are ${names.length}: ${names.join(", ")}`);
    },
    fault: { extraLock: ["1.lock"], says: /there are 2: / },
  },
  CD6: {
    level: "SHOULD",
    rule: "When a folder is opened, the lock file names it too.",
    sources: observed("The CLI reads the folders each time it looks for its IDE."),
    check: "folder-opened",
    title: "the lock file names a folder that is opened later",
    ...byUser,
    async run(means) {
      const { configFolders, port } = means.target;
      const { folder, isNamed } = await openFolder(means, "another", async () =>
        (await readLocks(configFolders)).find((lock) => lock.port === port),
      );
      demand(isNamed, `the lock file does not name ${folder} ${means.limits.event} ms after it was opened`);
    },
    fault: { lock: (_, first) => first, says: /the lock file does not name .*another/ },
  },
  CD7: {
    level: "SHOULD",
    rule: "Terminals of the editor have `CLAUDE_CODE_SSE_PORT` with the port.",
    sources: observed(
      "With it the CLI connects without being asked, in any folder, and when several lock files match.",
    ),
    check: "terminal-port",
    title: "terminals of the editor name the port",
    ...byUser,
    async run({ editor, target }) {
      const port = (await editor.environment()).get("CLAUDE_CODE_SSE_PORT");
      demand(port === String(target.port), `CLAUDE_CODE_SSE_PORT is ${port ?? "absent"}, not ${target.port}`);
    },
    fault: { environment: () => ({}), says: /CLAUDE_CODE_SSE_PORT is absent/ },
  },
};
