import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { poll } from "../packages/testkit/src/waiting.ts";
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
      await cli.proposeWrite(path, "first\nnew\n");
      await (await page.proposal("whole.txt")).accept();
      await cli.finished();
      expect(String(await sandbox.read("whole.txt"))).toBe(`${bom}first\r\nnew\r\n`);
    },
    { matrix: kind === gemini },
  );
}

/** Some lines of Chinese around a line, in encodings that Qwen Code keeps. */
const encoded = {
  // 第一行的文字
  GBK: (line: string) => {
    const chinese = Buffer.from("b5dad2bbd0d0b5c4cec4d7d60a".repeat(8), "hex");
    return Buffer.concat([chinese, Buffer.from(`${line}\n`), chinese]);
  },
  "UTF-16": (line: string) => Buffer.from(`${bom}第一行的文字\n${line}\n第一行的文字\n`, "utf16le"),
};

scenario(
  "Qwen Code keeps GBK and UTF-16 in a review, and is not said to have written another text",
  async (sandbox) => {
    const { page, cli } = await startFixture(sandbox, qwen);
    const folder = join(sandbox.home, ".local", "state", "ide-companion", "history");
    for (const [encoding, toBytes] of Object.entries(encoded)) {
      const name = `${encoding}.txt`;
      const path = await sandbox.write(name, toBytes("old"));
      await cli.proposeReplace(path, "old", "new");
      await (await page.proposal(name)).accept();
      await cli.finished();
      expect(await sandbox.read(name), encoding).toEqual(toBytes("new"));
      const result = await poll(`what became of ${name}`, async () => {
        const names = await readdir(folder).catch(() => []); // nothing is decided yet
        const texts = await Promise.all(names.map((each) => readFile(join(folder, each), "utf8")));
        const record = texts.map((text) => JSON.parse(text)).find(({ filePath }) => filePath === path);
        return record?.fileResult;
      });
      expect(result, encoding).toBe("written");
    }
  },
);
