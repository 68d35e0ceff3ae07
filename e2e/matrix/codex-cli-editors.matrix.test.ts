import { expect } from "vitest";
import { agentInEditors } from "../harness/agent-in-editors.ts";
import { answerFor, enableIde, promptCodex, startCodex } from "../harness/codex.ts";
import { codex } from "../harness/installed.ts";

agentInEditors({
  sentence: (editor) => `Codex CLI has, after /ide, the selection of ${editor} with each prompt`,
  needs: { "Codex CLI": codex },
  start: (sandbox) => startCodex(sandbox),
  async receives(cli, _, sandbox) {
    await answerFor(sandbox, sandbox.workspace, '"words"');
    await enableIde(cli);
    const text = await promptCodex(cli, "Describe what you see");
    expect(text).toContain("## Active file: selected.txt");
    expect(text).toContain("## Active selection of the file:\nwords\n");
  },
});
