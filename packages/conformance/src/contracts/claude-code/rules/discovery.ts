import { byUser, demand, demandNone } from "../../check.ts";
import { isName, problemsOfFields } from "../../fields.ts";
import { lockChecks } from "../../lock-file.ts";
import { observed, recommended } from "../../requirement.ts";
import { type ClaudeTarget, claudeLocking } from "../lock-file.ts";
import type { ClaudeGroup } from "./means.ts";

const locks = lockChecks<ClaudeTarget>(claudeLocking, ({ authToken }, { token }) => authToken === token);

export const discoveryRules: ClaudeGroup = {
  CD1: {
    MUST: 'A lock file `<config>/ide/<port>.lock` holds a JSON object with `pid`, `workspaceFolders`, `ideName`, `transport: "ws"` and `authToken`. `<config>` is `$CLAUDE_CONFIG_DIR` or `~/.claude`.',
    sources: observed(
      "The CLI reads both folders, and the port in the name. With any other `transport` the CLI speaks an older protocol, and sends no token.",
    ),
    check: "lock-fields",
    async run({ target }) {
      const wanted = { pid: Number.isInteger, workspaceFolders: Array.isArray, ideName: isName };
      demandNone(problemsOfFields(target.lock.content, { ...wanted, transport: "ws", authToken: isName }));
    },
    fault: { lock: (content) => ({ ...content, transport: "sse" }), says: /transport is "sse", not "ws"/ },
  },
  CD2: {
    isSecurity: true,
    MUST: "Nobody but its user can read the lock file (mode 0600) or list its folder (0700).",
    sources: recommended("Anybody who has the token can put texts into the user's files."),
    ...locks.mode,
  },
  CD3: {
    MUST: "`pid` is the number of a process that runs.",
    sources: observed("The CLI deletes the lock file of a dead process when it starts."),
    ...locks.process,
  },
  CD4: {
    MUST: "`workspaceFolders` has the real path of each open folder.",
    sources: observed(
      "The CLI connects when its folder is one of these or below one. A symbolic link to its folder does not match.",
    ),
    ...locks.folders,
  },
  CD5: {
    MUST: "One companion has one lock file, with all of its folders.",
    sources: observed("When two lock files match its folder, the CLI connects to neither."),
    ...locks.one,
  },
  CD6: {
    SHOULD: "When a folder is opened, the lock file names it too.",
    sources: observed("The CLI reads the folders each time it looks for its IDE."),
    ...locks.opened,
  },
  CD7: {
    SHOULD: "Terminals of the editor have `CLAUDE_CODE_SSE_PORT` with the port.",
    sources: observed(
      "With it the CLI connects without being asked, in any folder, and when several lock files match.",
    ),
    check: "terminal-port",
    ...byUser,
    async run({ editor, target }) {
      const port = (await editor.environment()).get("CLAUDE_CODE_SSE_PORT");
      demand(port === String(target.port), `CLAUDE_CODE_SSE_PORT is ${port ?? "absent"}, not ${target.port}`);
    },
    fault: { environment: () => ({}), says: /CLAUDE_CODE_SSE_PORT is absent/ },
  },
};
