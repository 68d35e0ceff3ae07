import { commentsRow } from "../harness/comments-row.ts";
import { rejected, startCopilot } from "../harness/copilot.ts";

commentsRow("Copilot CLI", async (sandbox, env) => {
  const { proposeCreate: propose, ...cli } = await startCopilot(sandbox, { env });
  return { ...cli, propose, rejected: async () => void (await cli.terminal.waitFor(rejected)) };
});
