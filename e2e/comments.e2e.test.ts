import { startAgent } from "./harness/agent-cli.ts";
import { commentsRow } from "./harness/comments-row.ts";
import { gemini } from "./harness/gemini.ts";
import { qwen } from "./harness/qwen.ts";

for (const kind of [gemini, qwen]) {
  commentsRow(
    kind.displayName,
    async (sandbox, env) => {
      const { terminal, model, proposeWrite: propose } = await startAgent(sandbox, kind, { env });
      const ready = async () => void (await terminal.waitFor("Type your message"));
      const rejected = async () => {
        await terminal.waitFor(kind.rejected);
        await ready();
      };
      return { terminal, model, ready, propose, rejected };
    },
    { matrix: kind === qwen },
  );
}
