import { claudeVersions, rejected, startClaude } from "../harness/claude.ts";
import { commentsRow } from "../harness/comments-row.ts";

for (const version of claudeVersions) {
  commentsRow(`Claude Code ${version}`, async (sandbox, env) => {
    const { proposeWrite: propose, ...cli } = await startClaude(sandbox, { version, env });
    return { ...cli, propose, rejected: async () => void (await cli.terminal.waitFor(rejected)) };
  });
}
