import { expect } from "vitest";
import { agentInEditors, decideTwo } from "../harness/agent-in-editors.ts";
import { rejected, startConnectedCopilot } from "../harness/copilot.ts";

agentInEditors({
  sentence: (editor) =>
    `changes of Copilot CLI are read-only in ${editor}, which says why, and it receives what is selected`,
  async start(sandbox) {
    const cli = await startConnectedCopilot(sandbox);
    // It connects a second time while it starts, and its first prompt may come before that.
    await cli.say("Hello");
    await cli.terminal.waitFor("Done.");
    return cli;
  },
  async receives(cli) {
    await cli.terminal.waitFor("@selected.txt:2");
    cli.model.plan({ text: "An answer." });
    await cli.say("Describe what you see");
    const { text } = await cli.model.request("<ide_selection>");
    expect(text).toMatch(/File: selected\.txt \(line 2\)\s+[\s\S]*\bwords\b/);
    expect(text).not.toContain("two words here");
    await cli.terminal.waitFor("An answer.");
  },
  async andThen({ sandbox, editor, cli }) {
    await decideTwo(
      { sandbox, editor, cli },
      {
        async accept(proposal) {
          // In a narrow window a part of the sentence.
          await editor.says(/read-only|takes no edits/);
          await proposal.accept();
          return "2nd";
        },
        rejected,
      },
    );
  },
});
