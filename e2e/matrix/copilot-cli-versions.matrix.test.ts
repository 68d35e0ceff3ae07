import { expect } from "vitest";
import { startCompanion } from "../harness/companion.ts";
import { copilotVersion, installCopilot, startConnectedCopilot } from "../harness/copilot.ts";
import { openReviewPage } from "../harness/review-page.ts";
import { newestOf, versionScenario } from "../harness/seen-versions.ts";

for (const [role, version] of [
  ["newest", await newestOf("@github/copilot", copilotVersion)],
  ["oldest", copilotVersion],
] as const) {
  versionScenario({
    ...{ program: "Copilot CLI", role, version },
    async run(sandbox, saw) {
      await sandbox.write("selected.txt", "one\ntwo words here\n");
      const path = await sandbox.write("note.txt", "first\nsecond\nthird\n");
      const page = await openReviewPage(sandbox, (await startCompanion(sandbox)).link);
      const cli = await startConnectedCopilot(sandbox, { command: [await installCopilot(version)] });
      saw("connects");
      // It connects a second time while it starts, and its first prompt may come before that.
      await cli.say("Hello");
      await cli.terminal.waitFor("Done.");
      await page.openFile("selected.txt");
      await page.select("words");
      await cli.terminal.waitFor("@selected.txt:2");
      cli.model.plan({ text: "An answer." });
      await cli.say("Describe what you see");
      expect((await cli.model.request("<ide_selection>")).text).toMatch(/selected\.txt[\s\S]*\bwords\b/);
      saw("context");
      await cli.terminal.waitFor("An answer.");
      await cli.proposeEdit(path, "second", "2nd");
      await (await page.proposal("note.txt")).accept();
      await cli.finished();
      expect(String(await sandbox.read("note.txt"))).toBe("first\n2nd\nthird\n");
      saw("accepted");
    },
  });
}
