import { expect } from "vitest";
import { askCodex, enableIde, startCodex } from "./harness/codex.ts";
import { startCompanion } from "./harness/companion.ts";
import { codex as program } from "./harness/installed.ts";
import { openReviewPage } from "./harness/review-page.ts";
import { scenario } from "./harness/scenario.ts";

scenario(
  "Codex CLI has, after /ide, the selection of the page with each prompt",
  async (sandbox) => {
    await sandbox.write("src/greeting.ts", 'const who = "sandbox";\nexport const text = "Hello";\n');
    const companion = await startCompanion(sandbox);
    const page = await openReviewPage(sandbox, companion.link);
    const cli = await startCodex(sandbox);
    await page.openFile("greeting.ts");
    await page.select("const text");
    await enableIde(cli);
    const text = await askCodex(cli, "Describe what you see");
    expect(text).toContain("## Active file: src/greeting.ts");
    expect(text).toContain("## Active selection of the file:\nconst text\n");
    expect(text).toContain("- greeting.ts: src/greeting.ts");
    await companion.stop();
    cli.model.plan({ text: "The end of the second turn." });
    await cli.say("And now");
    await cli.terminal.waitFor("IDE context was skipped for this message");
    await cli.terminal.waitFor("The end of the second turn.");
  },
  { needs: { "Codex CLI": program } },
);
