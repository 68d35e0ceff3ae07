import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Comment, PageMessage } from "./api.ts";
import { ProposalComments } from "./proposal-comments.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const line = { side: "proposed", startLine: 1, endLine: 1, quote: "one" } as const;
const other: Comment = { id: "other", ...line, startLine: 2, endLine: 2, text: "Of another page" };

function setUp() {
  const sent: PageMessage[] = [];
  const link = { isOpen: true };
  const comments = new ProposalComments("1", (message) => {
    if (link.isOpen) sent.push(message);
    return link.isOpen;
  });
  comments.start(line);
  const id = comments.open.value ?? "";
  comments.write(id, "Why?");
  comments.finish();
  comments.flush();
  const lastSent = () => {
    const message = sent.at(-1);
    return message?.type === "comments" ? message.comments.map(({ text }) => text) : undefined;
  };
  return { comments, id, link, lastSent, written: comments.written.value };
}

test.each([
  ["deleted", "remove"],
  ["emptied and closed", "empty"],
] as const)("a comment that is %s without a connection is gone when that is back", (_, way) => {
  const { comments, id, link, lastSent, written } = setUp();
  link.isOpen = false;
  if (way === "remove") comments.remove(id);
  else {
    comments.edit(id);
    comments.write(id, "");
    comments.finish();
  }
  vi.advanceTimersByTime(1000);
  link.isOpen = true;
  comments.reconnected([...written, other]);
  expect(comments.written.value).toEqual([other]);
  expect(lastSent()).toEqual(["Of another page"]);
});

test("a comment that is deleted does not come back with what another page has sent before it heard of that", () => {
  const { comments, id, lastSent, written } = setUp();
  comments.remove(id);
  comments.received([...written, other]);
  vi.advanceTimersByTime(1000);
  expect(comments.written.value).toEqual([other]);
  expect(lastSent()).toEqual(["Of another page"]);
});

test("what is written in a break counts, and is sent after it", () => {
  const { comments, id, link, lastSent, written } = setUp();
  link.isOpen = false;
  comments.edit(id);
  comments.write(id, "Why so?");
  vi.advanceTimersByTime(1000);
  link.isOpen = true;
  comments.reconnected([...written, other]);
  expect(lastSent()).toEqual(["Of another page", "Why so?"]);
});

test("a comment that is closed stays when those of another page come before it is sent", () => {
  const { comments, lastSent, written } = setUp();
  comments.start({ ...line, startLine: 3, endLine: 3 });
  comments.write(comments.open.value ?? "", "Mine");
  comments.finish();
  comments.received([...written, other]);
  vi.advanceTimersByTime(1000);
  expect(lastSent()).toEqual(["Why?", "Of another page", "Mine"]);
});
