import { expect } from "vitest";
import { startFixture } from "./harness/fixture.ts";
import { gemini } from "./harness/gemini.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";

const bom = "\uFEFF";

/** Name and content of files in which the line `old` becomes `new`, then `newer` by the user's hand. */
const files: readonly (readonly [name: string, content: string])[] = [
  ["crlf.txt", "first\r\nold\r\nlast\r\n"],
  ["bom.txt", `${bom}first\nold\nlast\n`],
  ["bom-crlf.txt", `${bom}first\r\nold\r\nlast\r\n`],
  ["no-last-newline.txt", "first\nold\nlast"],
  ["crlf-no-last-newline.txt", "first\r\nold\r\nlast"],
];

for (const kind of [gemini, qwen]) {
  scenario(
    `${kind.displayName}: line ends, byte order mark and a missing last newline outlive a review`,
    async (sandbox) => {
      const { page, cli } = await startFixture(sandbox, kind);
      for (const [name, content] of files) {
        const path = await sandbox.write(name, content);
        await cli.proposeReplace(path, "old", "new");
        const proposal = await page.proposal(name);
        await proposal.edit("new", "newer");
        await proposal.accept();
        await cli.finished();
        expect(String(await sandbox.read(name)), name).toBe(content.replace("old", "newer"));
      }
    },
    { matrix: kind === qwen },
  );

  scenario(
    `${kind.displayName}: a whole file written again keeps its line ends and byte order mark`,
    async (sandbox) => {
      const { page, cli } = await startFixture(sandbox, kind);
      const path = await sandbox.write("whole.txt", `${bom}first\r\nold\r\n`);
      await cli.proposeWriteAfterReading(path, "first\nnew\n");
      await (await page.proposal("whole.txt")).accept();
      await cli.finished();
      expect(String(await sandbox.read("whole.txt"))).toBe(`${bom}first\r\nnew\r\n`);
    },
    { matrix: kind === gemini },
  );
}
