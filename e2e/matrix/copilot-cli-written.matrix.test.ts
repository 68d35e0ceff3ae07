import { expect } from "vitest";
import { eventually } from "../../packages/testkit/src/eventually.ts";
import { startCompanion } from "../harness/companion.ts";
import { startConnectedCopilot } from "../harness/copilot.ts";
import { pathWithCommand } from "../harness/editor.ts";
import { callCommand } from "../harness/installation.ts";
import { newerNode } from "../harness/installed.ts";
import { openReviewPage } from "../harness/review-page.ts";
import { scenario } from "../harness/scenario.ts";
import { takesBack } from "../harness/takes-back.ts";
import { unaskingCopilot } from "../harness/unasking.ts";
import { writtenInEditors } from "../harness/written-in-editors.ts";

takesBack(unaskingCopilot);
writtenInEditors(unaskingCopilot);

for (const args of [["--allow-all-tools"], []])
  scenario(
    `Copilot CLI waits for its user on the page, and writes what the user has typed there (${args.join() || "asking"})`,
    async (sandbox) => {
      const read = async (name: string) => String(await sandbox.read(name));
      const path = await sandbox.write("a.txt", "alpha\r\nbeta\r\n");
      const PATH = `${await pathWithCommand(sandbox)}:${newerNode}`;
      await callCommand(sandbox, "install", "--yes", "copilot");
      await callCommand(sandbox, "review", "before");
      const page = await openReviewPage(sandbox, (await startCompanion(sandbox)).link);
      const cli = await startConnectedCopilot(sandbox, { args, env: { PATH } });
      await cli.proposeEdit(path, "beta", "BETA");
      const first = await page.proposal("a.txt");
      await cli.terminal.waitFor("Review a.txt in your editor");
      expect(await read("a.txt")).toBe("alpha\r\nbeta\r\n");
      await first.accept();
      await cli.finished();
      expect(await read("a.txt")).toBe("alpha\r\nBETA\r\n");

      await cli.proposeEdit(path, "BETA", "gamma");
      const second = await page.proposal("a.txt");
      await second.edit("gamma", "zwei");
      await second.accept();
      await cli.finished();
      expect(await read("a.txt")).toBe("alpha\r\nzwei\r\n");
      await cli.model.request("The user has changed your text");

      await cli.proposeCreate(sandbox.path("new.txt"), "new\n");
      const third = await page.proposal("new.txt");
      await third.edit("new", "neu");
      await third.accept();
      await cli.finished();
      expect(await read("new.txt")).toBe("neu\n");

      await cli.proposeEdit(path, "zwei", "delta");
      await (await page.proposal("a.txt")).reject();
      await cli.finished();
      await cli.model.request("Rejected, and not written");
      expect(await read("a.txt")).toBe("alpha\r\nzwei\r\n");
      await eventually(async () =>
        expect(JSON.parse(await callCommand(sandbox, "changes", "--json"))).toEqual({ turns: [] }),
      );
    },
  );
