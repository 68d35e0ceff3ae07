import { startAgent } from "./harness/agent-cli.ts";
import { commentsInTerminal } from "./harness/comments-in-terminal.ts";
import { gemini } from "./harness/gemini.ts";
import { newerNode } from "./harness/installed.ts";
import { editorsWithTerminals } from "./harness/own-terminals.ts";
import { pathTo } from "./harness/path-to.ts";
import { qwen } from "./harness/qwen.ts";

for (const editor of editorsWithTerminals) {
  for (const kind of [gemini, qwen]) {
    commentsInTerminal(editor, {
      name: kind.name,
      displayName: kind.displayName,
      async start(sandbox, { command, env }) {
        await pathTo(sandbox, kind);
        const { PATH } = env;
        const cli = await startAgent(sandbox, kind, {
          command,
          env: { ...env, PATH: kind === qwen ? `${newerNode}:${PATH}` : `${PATH}` },
        });
        return { ...cli, propose: cli.proposeWrite };
      },
    });
  }
}
