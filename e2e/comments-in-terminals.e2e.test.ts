import { startAgent } from "./harness/agent-cli.ts";
import { type AgentInTerminal, commentsInTerminal } from "./harness/comments-in-terminal.ts";
import { gemini } from "./harness/gemini.ts";
import { newerNode } from "./harness/installed.ts";
import { editorsWithTerminals, emacsTerminals } from "./harness/own-terminals.ts";
import { pathTo } from "./harness/path-to.ts";
import { qwen } from "./harness/qwen.ts";

for (const editor of editorsWithTerminals) {
  // Term of Emacs 28 draws Gemini CLI wrongly once it has asked a question: its prompt does not look empty.
  for (const kind of editor === emacsTerminals ? [qwen] : [gemini, qwen]) {
    const agent: AgentInTerminal = {
      name: kind.name,
      displayName: kind.displayName,
      async start(sandbox, { command, env }) {
        await pathTo(sandbox, kind);
        const PATH = `${newerNode}:${env.PATH}`;
        const cli = await startAgent(sandbox, kind, { command, env: { ...env, PATH } });
        return { ...cli, propose: cli.proposeWrite };
      },
    };
    commentsInTerminal(editor, agent, { matrix: kind === qwen && editor !== emacsTerminals });
  }
}
