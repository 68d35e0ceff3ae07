import { expect } from "vitest";
import { startFixture } from "./harness/fixture.ts";
import { gemini } from "./harness/gemini.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";

/** Lines 1 to 30; the proposal changes the third and the twenty-eighth, far enough apart to be two changes. */
const before = lines();
const proposed = lines({ 3: "third, as proposed", 28: "twenty-eighth, as proposed" });

for (const kind of [gemini, qwen]) {
  scenario(
    `${kind.displayName} writes exactly what was edited, reverted and accepted in the page`,
    async (sandbox) => {
      const path = await sandbox.write("poem.txt", before);
      const { page, cli } = await startFixture(sandbox, kind);
      await cli.proposeWriteAfterReading(path, proposed);
      const proposal = await page.proposal("poem.txt");
      await proposal.edit("third, as proposed", "third, as I want it");
      await proposal.revert(2);
      expect(String(await sandbox.read("poem.txt")), "before the decision").toBe(before);
      await proposal.accept();
      await cli.finished();
      expect(String(await sandbox.read("poem.txt"))).toBe(lines({ 3: "third, as I want it" }));
      await proposal.gone();
    },
  );

  scenario(
    `${kind.displayName} writes nothing that was rejected in the page, and says so`,
    async (sandbox) => {
      const { page, cli } = await startFixture(sandbox, kind);
      await cli.proposeWrite(sandbox.path("unwanted.txt"), "No.\n");
      const proposal = await page.proposal("unwanted.txt");
      await proposal.reject();
      await cli.terminal.waitFor(kind.rejected);
      await proposal.gone();
      expect(await sandbox.read("unwanted.txt")).toBeUndefined();
    },
  );
}

function lines(changed: Readonly<Record<number, string>> = {}): string {
  let text = "";
  for (let number = 1; number <= 30; number += 1) text += `${changed[number] ?? `line ${number}`}\n`;
  return text;
}
