import {
  awaitClaudes,
  claudeVersions,
  installClaude,
  newestClaude,
  rejected,
  startClaude,
} from "../harness/claude.ts";
import { commentsInTerminal } from "../harness/comments-in-terminal.ts";
import { commentsRow } from "../harness/comments-row.ts";
import { editorsWithTerminals } from "../harness/own-terminals.ts";
import { programInPath } from "../harness/path-to.ts";

for (const version of claudeVersions) {
  commentsRow(`Claude Code ${version}`, async (sandbox, env) => {
    const { proposeWrite: propose, ...cli } = await startClaude(sandbox, { version, env });
    return { ...cli, propose, rejected: async () => void (await cli.terminal.waitFor(rejected)) };
  });
}

for (const editor of editorsWithTerminals) {
  commentsInTerminal(editor, {
    name: "claude",
    displayName: "Claude Code",
    async start(sandbox, options) {
      // A version that would ask for nothing shows no diff.
      const program = [...(await installClaude(newestClaude)), "--permission-mode", "default"];
      await programInPath(sandbox, "claude", program);
      const { proposeWrite: propose, ...cli } = await startClaude(sandbox, {
        ...options,
        version: newestClaude,
      });
      return { ...cli, propose, connected: () => awaitClaudes(sandbox) };
    },
  });
}
