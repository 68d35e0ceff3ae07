import { expect } from "vitest";
import { startAgent } from "./harness/agent-cli.ts";
import { startCompanion } from "./harness/companion.ts";
import { editorToolNames, withEditorTools } from "./harness/editor-tools.ts";
import { gemini } from "./harness/gemini.ts";
import { opencode } from "./harness/installed.ts";
import { startModel } from "./harness/model.ts";
import { neovim } from "./harness/neovim.ts";
import { opencodeTool, startOpencode } from "./harness/opencode.ts";
import { qwen } from "./harness/qwen.ts";
import { openReviewPage } from "./harness/review-page.ts";
import { scenario } from "./harness/scenario.ts";

for (const kind of [gemini, qwen]) {
  scenario(
    `${kind.displayName} without IDE mode uses the editor by its tools, registered as an MCP server`,
    async (sandbox) => {
      const path = await sandbox.write("poem.txt", "roses\nviolets\n");
      const companion = await startCompanion(sandbox);
      const [page, cli] = await Promise.all([
        openReviewPage(sandbox, companion.link),
        startAgent(sandbox, withEditorTools(kind, sandbox)),
      ]);
      await page.openFile("poem.txt");
      await page.select("violets");
      const tool = await editorToolNames(cli);

      cli.model.plan(
        { call: tool("getSelection"), args: {} },
        { call: tool("openDiff"), args: { filePath: path, newContent: "roses\ntulips\n", write: true } },
        { call: tool("openFile"), args: { filePath: path, line: 2 } },
        { text: "All is well." },
      );
      await cli.say("Use the editor");
      const proposal = await page.proposal("poem.txt");
      await proposal.edit("tulips", "lilies");
      await proposal.accept();
      await cli.terminal.waitFor("All is well.");
      expect(String(await sandbox.read("poem.txt"))).toBe("roses\nlilies\n");
      const received = cli.model.requests.at(-1)?.body ?? "";
      expect(received).toContain("violets");
      expect(received).toContain("roses\\\\nlilies\\\\n");
    },
    { matrix: kind === qwen },
  );
}

scenario(
  "opencode, which has no IDE mode, has its changes reviewed in Neovim, registered as an MCP server",
  async (sandbox) => {
    const path = await sandbox.write("poem.txt", "roses\nviolets\n");
    const editor = await neovim.start(sandbox, [path]);
    await editor.select("violets");
    const model = await startModel(sandbox);
    model.plan(
      { call: opencodeTool("getSelection"), args: {} },
      {
        call: opencodeTool("openDiff"),
        args: { filePath: path, newContent: "roses\ntulips\n", write: true },
      },
      { text: "All is well." },
    );
    const agent = await startOpencode(sandbox, model, "Use the editor");
    await model.request('"selectedText":"violets"');
    await editor.terminal.press("Escape"); // nobody is shown a change in the middle of a selection
    const proposal = await editor.proposal("poem.txt");
    await editor.terminal.waitFor("opencode proposes");
    await proposal.replace("tulips", "lilies");
    await proposal.accept();
    await agent.waitFor("All is well.");
    expect(await agent.exited()).toBe(0);
    expect(String(await sandbox.read("poem.txt"))).toBe("roses\nlilies\n");
    const received = model.requests.at(-1)?.text ?? "";
    expect(received).toContain('"selectedText":"violets"');
    expect(received).toContain('"content":"roses\\nlilies\\n"');
  },
  { needs: { ...neovim.needs, opencode }, matrix: true },
);
