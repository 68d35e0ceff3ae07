import { expect } from "vitest";
import { claudeVersions, startConnectedClaude } from "../harness/claude.ts";
import { startCompanion } from "../harness/companion.ts";
import { openReviewPage } from "../harness/review-page.ts";
import { newestOf, versionScenario } from "../harness/seen-versions.ts";

for (const [role, version] of [
  ["newest", await newestOf("@anthropic-ai/claude-code", claudeVersions[0])],
  ["oldest", claudeVersions.at(-1) ?? ""],
] as const) {
  versionScenario({
    ...{ program: "Claude Code", role, version },
    async run(sandbox, saw) {
      const selected = await sandbox.write("selected.txt", "one\ntwo words here\n");
      const path = await sandbox.write("note.txt", "first\nsecond\nthird\n");
      const page = await openReviewPage(sandbox, (await startCompanion(sandbox)).link);
      const cli = await startConnectedClaude(sandbox, version);
      saw("connects");
      await page.openFile("selected.txt");
      await page.select("words");
      await cli.terminal.waitFor("1 line selected");
      await cli.say("Describe what you see");
      const { text } = await cli.model.request("The user selected the line");
      expect(text).toMatch(new RegExp(`from ${selected}:\\s+words\\s+This`));
      saw("context");
      await cli.terminal.waitFor("Done.");
      await cli.proposeEdit(path, "second", "2nd");
      await (await page.proposal("note.txt")).accept();
      await cli.finished();
      expect(String(await sandbox.read("note.txt"))).toBe("first\n2nd\nthird\n");
      saw("accepted");
    },
  });
}
