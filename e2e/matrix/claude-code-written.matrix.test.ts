import { expect } from "vitest";
import {
  awaitClaudes,
  installClaude,
  newestClaude,
  startClaude,
  writeClaudeConfig,
} from "../harness/claude.ts";
import { startCompanion } from "../harness/companion.ts";
import { pathWithCommand } from "../harness/editor.ts";
import { callCommand } from "../harness/installation.ts";
import { openReviewPage } from "../harness/review-page.ts";
import { scenario } from "../harness/scenario.ts";
import { takesBack } from "../harness/takes-back.ts";
import { unaskingClaude } from "../harness/unasking.ts";
import { writtenInEditors } from "../harness/written-in-editors.ts";

takesBack(unaskingClaude);
writtenInEditors(unaskingClaude);

scenario(
  "in a mode in which it does not ask, Claude Code asks on the page once its user wants that",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    await writeClaudeConfig(sandbox);
    const PATH = await pathWithCommand(sandbox);
    await callCommand(sandbox, "install", "--yes", "claude");
    await callCommand(sandbox, "review", "before");
    const { link } = await startCompanion(sandbox);
    const cli = await startClaude(sandbox, {
      version: newestClaude,
      command: [...(await installClaude(newestClaude)), "--permission-mode", "acceptEdits"],
      env: { PATH },
      isConfigured: true,
    });
    await awaitClaudes(sandbox);
    const page = await openReviewPage(sandbox, link);
    await cli.proposeEdit(path, "second", "2nd");
    const proposal = await page.proposal("note.txt");
    expect(String(await sandbox.read("note.txt"))).toBe("first\nsecond\n");
    await proposal.edit("2nd", "zwei");
    await proposal.accept();
    await cli.finished();
    expect(String(await sandbox.read("note.txt"))).toBe("first\nzwei\n");
    expect(JSON.parse(await callCommand(sandbox, "changes", "--json"))).toEqual({ turns: [] });
  },
);
