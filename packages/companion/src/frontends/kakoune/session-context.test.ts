import { expect, test } from "vitest";
import type { Look } from "./look.ts";
import { createSessionContext } from "./session-context.ts";

const selection = { start: { line: 1, character: 1 }, end: { line: 1, character: 5 } };

const look = (buffer: string, files: readonly string[], selectedText = ""): Look => ({
  session: "s",
  client: "client0",
  buffer,
  timestamp: "1",
  cursor: { line: 1, character: 1 },
  selectedText,
  selection: selectedText === "" ? undefined : selection,
  files,
});

function start() {
  let time = 0;
  return createSessionContext(
    (path) => path.startsWith("/ours/"),
    () => {
      time += 1;
      return time;
    },
  );
}

test("the file that is looked at is the active one, and keeps its time when another is", () => {
  const context = start();
  context.take(look("/a", ["/a", "/b"]));
  expect(context.take(look("/b", ["/a", "/b"], "text"))).toEqual({
    files: [
      { path: "/a", focusedAt: 1 },
      { path: "/b", focusedAt: 2, cursor: { line: 1, character: 1 }, selectedText: "text", selection },
    ],
    activePath: "/b",
  });
});

test("a scratch buffer and a proposal leave the file active that was before", () => {
  const context = start();
  context.take(look("/a", ["/a"]));
  expect(context.take(look("*scratch*", ["/a"])).activePath).toBe("/a");
  const neighbour = context.take(look("/ours/1/a", ["/a", "/ours/1/a"]));
  expect(neighbour.activePath).toBe("/a");
  expect(neighbour.files.map(({ path }) => path)).toEqual(["/a"]);
});

test("a file that was closed is gone", () => {
  const context = start();
  context.take(look("/a", ["/a", "/b"]));
  expect(context.take(look("*scratch*", ["/b"]))).toEqual({ files: [{ path: "/b", focusedAt: 0 }] });
});
