import { readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { run } from "../../packages/testkit/src/run.ts";
import {
  awaitClaudes,
  installClaude,
  newestClaude,
  startClaude,
  writeClaudeConfig,
} from "../harness/claude.ts";
import { startCompanion } from "../harness/companion.ts";
import { askDoctor } from "../harness/doctor.ts";
import { pathWithCommand } from "../harness/editor.ts";
import { openReviewPage } from "../harness/review-page.ts";
import { scenario } from "../harness/scenario.ts";

scenario(
  "Claude Code connects and shows diffs once every remedy of the doctor is followed",
  async (sandbox) => {
    const path = await sandbox.write("note.txt", "first\nsecond\n");
    await writeClaudeConfig(sandbox, sandbox.workspace, { autoConnectIde: false, diffTool: "terminal" });
    const PATH = await pathWithCommand(sandbox);
    const program = await installClaude(newestClaude);
    await symlink(program[0] ?? "", join(sandbox.home, "bin", "claude"));
    const ask = async () => (await askDoctor(sandbox, "claude", { PATH })).faults;
    const [config, settings] = [
      join(sandbox.home, ".claude.json"),
      join(sandbox.home, ".claude", "settings.json"),
    ];
    expect(await ask()).toEqual([
      "ide-mode: Switch it on: ide-companion install claude",
      `approval: Set "permissions": { "ask": ["Edit", "Write"] } in ${settings}: it then asks in every mode.`,
      `diffs: Set "diffTool": "auto" in ${config}.`,
      expect.stringContaining("companion: Start a companion for this folder: "),
    ]);

    await writeFile(settings, '{ "permissions": { "ask": ["Edit", "Write"] } }');
    const { diffTool, ...others } = JSON.parse(await readFile(config, "utf8"));
    await writeFile(config, JSON.stringify({ ...others, diffTool: "auto" }));
    const env = { ...sandbox.env, PATH };
    await run("ide-companion", ["install", "--yes", "claude"], {
      cwd: sandbox.workspace,
      env,
    });
    const { link } = await startCompanion(sandbox);
    expect(await ask()).toEqual([]);

    const cli = await startClaude(sandbox, { version: newestClaude, command: program, isConfigured: true });
    await awaitClaudes(sandbox);
    expect(await ask()).toEqual([]);
    const page = await openReviewPage(sandbox, link);
    await cli.proposeEdit(path, "second", "2nd");
    await (await page.proposal("note.txt")).accept();
    await cli.finished();
    expect(String(await sandbox.read("note.txt"))).toBe("first\n2nd\n");
  },
);
