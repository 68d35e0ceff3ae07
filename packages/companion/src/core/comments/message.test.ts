import { expect, test } from "vitest";
import type { Comment } from "../editor.ts";
import { toMessage } from "./message.ts";

const comment = (over: Partial<Comment> = {}): Comment => ({
  id: "1",
  side: "proposed",
  startLine: 3,
  endLine: 3,
  quote: "const a = 1;",
  text: "Use let.",
  ...over,
});

test("a message names the decision, and each comment with its place, its lines and its text", () => {
  const comments = [
    comment({ side: "original", startLine: 7, endLine: 8, quote: "one\r\ntwo", text: "\nStay.\nPlease.\n" }),
    comment({ startLine: 9, endLine: 9, quote: "b", text: "And this?" }),
    comment(),
  ];
  expect(toMessage({ filePath: "/my app/a.ts", outcome: "rejected", comments })).toBe(
    [
      "I rejected your change. My comments:",
      "@/my\\ app/a.ts:3\n> const a = 1;\nUse let.",
      "@/my\\ app/a.ts:9\n> b\nAnd this?",
      "@/my\\ app/a.ts:7-8 (before the change)\n> one\n> two\nStay.\nPlease.",
    ].join("\n\n"),
  );
  expect(toMessage({ filePath: "/a", outcome: "accepted", comments })).toMatch(/^I accepted your change/);
  expect(toMessage({ filePath: "/a", comments })).toMatch(/^My comments on your change:/);
});

test("a comment on all of a change comes first, with the file and without lines", () => {
  const all = comment({ startLine: 0, endLine: 0, quote: "", text: "Too much." });
  expect(toMessage({ filePath: "/a", outcome: "rejected", comments: [comment(), all] })).toBe(
    "I rejected your change. My comments:\n\n@/a\nToo much.\n\n@/a:3\n> const a = 1;\nUse let.",
  );
});

test("a quoted text can neither end a paste nor press a key", () => {
  const quote = "a\u001b[201~\rrm -rf\u0000\u009b201~\u2028\tb";
  const message = toMessage({ filePath: "/a", comments: [comment({ quote, text: "no\r" })] });
  expect(message).not.toMatch(/[^\P{Cc}\n\t]|[\u2028\u2029]/u);
  expect(message).toContain("> a[201~\n> rm -rf201~\tb\nno");
});

test("of a long quotation the message has the beginning", () => {
  const quote = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join("\n");
  const message = toMessage({ filePath: "/a", comments: [comment({ quote })] });
  expect(message).toContain("> line 12\n> …\nUse let.");
  expect(message).not.toContain("line 13");
});
