import path from "node:path";
import { expect, test } from "vitest";
import { openCommentsFolder } from "../../core/comments/comment.ts";
import { createSandbox, type Sandbox, start, useExecutable } from "../process-fixture.ts";

useExecutable();

/** A machine with comments that wait. */
function createComments() {
  const sandbox = createSandbox();
  const folder = openCommentsFolder(path.join(sandbox.home, ".local", "state", "ide-companion", "comments"));
  const filePath = path.join(sandbox.app, "a.txt");
  const comment = {
    id: "1",
    side: "proposed",
    startLine: 2,
    endLine: 2,
    quote: "two",
    text: "Why?",
  } as const;
  const record = { filePath, agent: "Gemini CLI", at: Date.now(), reason: "It ended.", comments: [comment] };
  folder.write({ ...record, id: "1f3a0000", outcome: "rejected" }, false);
  return { sandbox, filePath };
}

async function comments(sandbox: Sandbox, ...words: string[]) {
  const run = start(sandbox, ["comments", ...words]);
  const code = await run.end;
  return { code, text: run.text };
}

test("comments that no agent has received are listed, shown as the message for it, and discarded", async () => {
  const { sandbox, filePath } = createComments();
  const { code, text } = await comments(sandbox);
  expect([code, text]).toEqual([0, expect.stringContaining(`1f3a0000  ${filePath}`)]);
  expect(text).toContain("1 comment, written");
  expect(text).toContain("It ended.");
  expect(await comments(sandbox, "show", "1f")).toEqual({
    code: 0,
    text: `I rejected your change. My comments:\n\n@${filePath}:2\n> two\nWhy?\n`,
  });
  expect((await comments(sandbox, "show", "2")).code).toBe(2);
  expect((await comments(sandbox, "discard")).text).toContain("discarded: 1f3a0000");
  expect(JSON.parse((await comments(sandbox, "list", "--json")).text)).toEqual({ comments: [] });
});
