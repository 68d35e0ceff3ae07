import { commentsInTerminal } from "../harness/comments-in-terminal.ts";
import { commentsRow } from "../harness/comments-row.ts";
import { awaitCopilots, installCopilot, rejected, startCopilot } from "../harness/copilot.ts";
import { editorsWithTerminals } from "../harness/own-terminals.ts";
import { programInPath } from "../harness/path-to.ts";

commentsRow("Copilot CLI", async (sandbox, env) => {
  const { proposeCreate: propose, ...cli } = await startCopilot(sandbox, { env });
  return { ...cli, propose, rejected: async () => void (await cli.terminal.waitFor(rejected)) };
});

for (const editor of editorsWithTerminals) {
  commentsInTerminal(editor, {
    name: "copilot",
    displayName: "Copilot CLI",
    async start(sandbox, options) {
      await programInPath(sandbox, "copilot", [await installCopilot()]);
      const { proposeCreate: propose, ...cli } = await startCopilot(sandbox, options);
      return { ...cli, propose, connected: () => awaitCopilots(sandbox) };
    },
  });
}
