import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { startCore } from "../../testing/core.ts";
import { hasEmptyPrompt } from "./quirks.ts";

test("a byte order mark that Gemini CLI forgot is given back, and none is invented", async () => {
  const { client, editor } = await startCore();
  const cli = await client("gemini").initialize();
  const folder = privateFolder();
  const [marked, plain] = [join(folder, "marked"), join(folder, "plain")];
  writeFileSync(marked, "\uFEFFold");
  writeFileSync(plain, "old");
  for (const filePath of [marked, plain, join(folder, "new"), folder]) {
    await cli.call("openDiff", { filePath, newContent: "new" });
  }
  expect([...editor.diffs.values()].map(({ text }) => text)).toEqual(["\uFEFFnew", "new", "new", "new"]);
  await cli.call("openDiff", { filePath: marked, newContent: "\uFEFFnew" });
  expect(editor.find(marked).text).toBe("\uFEFFnew");
  const other = await client("qwen").initialize();
  await other.call("openDiff", { filePath: marked, newContent: "new" });
  expect([...editor.diffs.values()].at(-1)?.text).toBe("new");
});

test("an empty text is not accepted where the CLI would write its own instead, unless it proposed one", async () => {
  const { client, editor } = await startCore();
  const cli = await client("gemini").initialize();
  await cli.call("openDiff", { filePath: "/x/a", newContent: "new" });
  editor.edit("/x/a", "");
  expect(editor.accept("/x/a")).toMatchObject({
    taken: false,
    reason: { code: "empty-text", values: ["Gemini CLI"] },
  });
  await cli.call("openDiff", { filePath: "/x/empty", newContent: "" });
  expect(editor.accept("/x/empty")).toEqual({ taken: true });
});

test("the end of the companion rejects what is open, for a CLI that would wait on", async () => {
  const { client, companion } = await startCore();
  const cli = await client("gemini").initialize();
  const stream = await cli.openStream();
  await cli.call("openDiff", { filePath: "/x/a", newContent: "new" });
  const closing = companion.close();
  expect((await stream.method("ide/diffRejected")).params).toEqual({ filePath: "/x/a" });
  await closing;
});

test("a prompt is empty where its last line has the words for that, and nowhere else", () => {
  const words = "Type your message or @path/to/file";
  expect(hasEmptyPrompt(` > an earlier prompt\n\nAnswer.\n\n >   ${words}\n\n ~/shop\n`)).toBe(true);
  expect(hasEmptyPrompt(`│ > ${words} │\n`)).toBe(true);
  expect(hasEmptyPrompt(`Say: ${words}\n > mine\n`)).toBe(false);
  expect(hasEmptyPrompt(` > ${words}\n > a text\n   of mine\n`)).toBe(false);
  expect(hasEmptyPrompt("Apply this change?\n● 1. Allow once\n")).toBe(false);
  expect(hasEmptyPrompt("")).toBe(false);
});
