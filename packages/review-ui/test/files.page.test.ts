import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { isMatrix } from "../../testkit/src/matrix.ts";
import { useFixtures } from "./fixtures.ts";
import { accept, editorOf, reject } from "./page-harness.ts";

const { setUp, current } = useFixtures();

/** Fifty lines, so that one that changes has others around. */
const manyLines = (ending: string) =>
  Array.from({ length: 50 }, (_, index) => `line ${index + 1}${ending}`).join("");
const waiting = (page: Page) => page.getByRole("region", { name: /^Waiting/ });
const decided = () => expect.poll(() => current().decisions.length).toBe(1);

describe("a proposed text", () => {
  const texts: readonly (readonly [what: string, before: string, after: string])[] = [
    ["with CRLF", manyLines("\r\n"), manyLines("\r\n").replace("line 5\r", "five\r")],
    ["with CR only", "a\rb\rc\r", "a\rB\rc\r"],
    ["with mixed line endings", "a\r\nb\nc\rd\r\n", "a\r\nB\nc\rd\r\ne\n"],
    ["with a BOM", "\ufeffa\nb\n", "\ufeffa\nB\n"],
    ["without a last newline", "a\nb", "a\nB"],
    ["with NUL, tabs and bidirectional controls", "a\0\tb\n", "a\0\tb\u202e\n\t\0"],
    ["with halves of surrogate pairs", "a\n", "a\ud800b\n\udfff\n😀"],
    ["that is empty", "a\n", ""],
    ["of one newline", "", "\n"],
  ];
  const layouts = ["side by side", "unified"];
  test.each(layouts)("of any kind, seen %s, is accepted byte by byte", async (layout) => {
    const files = Object.fromEntries(texts.map(([what, before]) => [`${what}.txt`, before]));
    const { page, propose, decisions } = await setUp({ files });
    // A commit sees every other text in each layout.
    const due = texts.filter((_, index) => isMatrix || layouts[index % layouts.length] === layout);
    for (const [index, [what, , after]] of due.entries()) {
      await propose(`${what}.txt`, after);
      await editorOf(page, `${what}.txt`).waitFor();
      // The page keeps the layout.
      if (layout === "unified" && index === 0) await page.keyboard.press("u");
      await accept(page);
      await expect.poll(() => decisions.length, { message: what }).toBe(index + 1);
      expect(decisions.at(-1), what).toEqual({ kind: "accepted", content: after });
      await waiting(page).waitFor({ state: "detached" });
    }
  });
});

describe("a proposal", () => {
  test("for a new file shows that, and is accepted", async () => {
    const { page, propose, decisions } = await setUp();
    await propose("new/b.txt", "b\n");
    await page.getByText("new file").waitFor();
    await accept(page);
    await decided();
    expect(decisions).toEqual([{ kind: "accepted", content: "b\n" }]);
  });

  test("for a file that is binary, outside, or replaced as a whole shows that", async () => {
    const { page, propose } = await setUp({
      files: { "x.bin": Buffer.from([0, 255, 0, 1]), "a.txt": "a\nb\n" },
    });
    await propose("x.bin", "text\n");
    await page.getByText("This is a binary file of 4 bytes; it is not shown.").waitFor();
    await reject(page);
    await propose("/nowhere/b.txt", "b\n");
    await page.getByText("outside the workspace").waitFor();
    await reject(page);
    await propose("a.txt", "c\nd\n");
    await page.getByText("whole file replaced").waitFor();
  });

  test("that changes line endings, BOM and the last newline shows that, and restores them on request", async () => {
    const { page, propose, decisions } = await setUp({ files: { "a.txt": "a\nb\n" } });
    await propose("a.txt", "\ufeffa\r\nB");
    await page.getByText("LF → CRLF").waitFor();
    for (const name of [/Back to LF$/, /byte order mark.*Remove it$/, /line ending.*Put it back$/]) {
      const button = page.getByRole("button", { name });
      await button.click();
      await button.waitFor({ state: "detached" }); // the others move to its place
    }
    await accept(page);
    await decided();
    expect(decisions).toEqual([{ kind: "accepted", content: "a\nB\n" }]);
  });

  test("without the CRLF and the BOM of its file shows only the changed line, and what the agent restores", async () => {
    const { page, propose, decisions } = await setUp({ files: { "a.txt": "\ufeffa\r\nb\r\nc\r\n" } });
    await propose("a.txt", "a\nB\nc\n");
    await page.getByText("1 change", { exact: true }).waitFor();
    await page.getByText("CRLF", { exact: true }).waitFor();
    await page.getByText("BOM", { exact: true }).waitFor();
    await page.getByText("+1", { exact: true }).first().waitFor();
    await accept(page);
    await decided();
    expect(decisions).toEqual([{ kind: "accepted", content: "a\nB\nc\n" }]);
  });

  test("for a file that is not UTF-8 shows that, and cannot be reverted", async () => {
    const { page, propose } = await setUp({ files: { "a.txt": Buffer.from("caf\xe9\nb\n", "latin1") } });
    await propose("a.txt", "café\nb\n");
    await page.getByText("is not valid UTF-8").waitFor();
    expect(await page.getByRole("button", { name: /^Revert/ }).count()).toBe(0);
  });

  test("of nine megabytes is shown and accepted", async () => {
    const before = "const value = 12345;\n".repeat(430_000);
    const after = before.replace("12345", "54321");
    const { page, propose, decisions } = await setUp({ files: { "big.ts": before } });
    await propose("big.ts", after);
    await page.getByText("over 2 MB").waitFor();
    await page.getByText("1 change", { exact: true }).waitFor();
    await accept(page);
    await decided();
    expect(decisions[0]?.kind === "accepted" && decisions[0].content === after).toBe(true);
  });
});
