import { expect } from "vitest";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { startConnected } from "./harness/agent-cli.ts";
import type { Editor } from "./harness/editor.ts";
import { emacs } from "./harness/emacs.ts";
import { startFakeCli } from "./harness/fake-cli.ts";
import { gemini } from "./harness/gemini.ts";
import { helix } from "./harness/helix.ts";
import { neovim } from "./harness/neovim.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";
import { vim } from "./harness/vim.ts";

const geminiCli = { agent: "Gemini CLI", start: (sandbox: Sandbox) => startConnected(sandbox, gemini) };
const fakeCli = { agent: "a fake CLI", start: startFakeCli };

for (const { kind, news, agent, start } of [
  { kind: neovim, news: "merged", ...geminiCli },
  { kind: vim, news: "merged", ...fakeCli },
  { kind: emacs, news: "poem.txt has changed on disk", ...fakeCli },
  { kind: helix, news: "poem.txt has changed on disk", ...fakeCli },
]) {
  scenario(
    `a file changes on disk while a change of ${agent} waits in ${kind.name}: after the acceptance both sides' lines are there`,
    async (sandbox) => {
      const path = await sandbox.write("poem.txt", "one\ntwo\nthree\nfour\nfive\n");
      const editor: Editor = await kind.start(sandbox, [path]);
      const cli = await start(sandbox);
      await cli.proposeReplace(path, "four", "4");
      const proposal = await editor.proposal("poem.txt");
      await sandbox.write("poem.txt", "zero\none\ntwo\nthree\nfour\nfive\n");
      await editor.says(news);
      await editor.shows("zero");
      await proposal.accept();
      await cli.accepted();
      expect(String(await sandbox.read("poem.txt"))).toBe("zero\none\ntwo\nthree\n4\nfive\n");
      await editor.nothingWaits();
    },
    { needs: kind.needs },
  );
}

scenario(
  "Qwen Code writes no file that has changed since it has read it: the other side's lines stay, and the user hears of it",
  async (sandbox) => {
    const path = await sandbox.write("poem.txt", "one\ntwo\nthree\nfour\nfive\n");
    const editor = await neovim.start(sandbox, [path]);
    const cli = await startConnected(sandbox, qwen);
    await cli.proposeReplace(path, "four", "4");
    const proposal = await editor.proposal("poem.txt");
    await sandbox.write("poem.txt", "zero\none\ntwo\nthree\nfour\nfive\n");
    await editor.says("merged");
    await proposal.accept();
    await cli.finished();
    await editor.says("Qwen Code did not write poem.txt");
    expect(String(await sandbox.read("poem.txt"))).toBe("zero\none\ntwo\nthree\nfour\nfive\n");
  },
  { needs: neovim.needs },
);
