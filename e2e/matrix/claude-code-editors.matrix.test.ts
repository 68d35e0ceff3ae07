import { expect } from "vitest";
import { agentInEditors, decideTwo } from "../harness/agent-in-editors.ts";
import { rejected, startConnectedClaude } from "../harness/claude.ts";

agentInEditors({
  sentence: (editor) => `changes of Claude Code are reviewed in ${editor}, and it receives what is selected`,
  start: (sandbox) => startConnectedClaude(sandbox),
  async receives(cli, path) {
    await cli.terminal.waitFor("1 line selected");
    await cli.say("Describe what you see");
    const { text } = await cli.model.request("The user selected the line");
    expect(text).toMatch(new RegExp(`from ${path}:\\s+words\\s+This`));
    await cli.terminal.waitFor("Done.");
  },
  async andThen({ sandbox, editor, cli }) {
    await decideTwo(
      { sandbox, editor, cli },
      {
        async accept(proposal) {
          await proposal.replace("2nd", "zwei");
          await proposal.accept();
          await cli.finished();
          expect(cli.model.requests.at(-1)?.text).toContain("modified your proposed changes");
          return "zwei";
        },
        rejected,
      },
    );
  },
});
