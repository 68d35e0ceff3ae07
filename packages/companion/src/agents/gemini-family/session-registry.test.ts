import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { Reviews } from "../../core/changes/reviews.ts";
import { createContextFeed } from "../../core/context-feed.ts";
import { EditsStore } from "../../core/edits/edits-store.ts";
import { openEditsFolder } from "../../core/edits/recovered-edits.ts";
import type { CompanionEvent } from "../../core/events.ts";
import { Sessions } from "../../core/sessions.ts";
import { MemoryEditor } from "../../testing/memory-editor.ts";
import { createDelivery } from "../../testing/reviews.ts";
import { EventStream } from "../../transport/event-stream.ts";
import { gemini } from "./gemini/agent.ts";
import { qwen } from "./qwen/agent.ts";
import { SessionRegistry } from "./session-registry.ts";

const minute = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function createRegistry() {
  const editor = new MemoryEditor();
  const events: CompanionEvent[] = [];
  const onEvent = (event: CompanionEvent) => void events.push(event);
  const edits = new EditsStore({ folder: openEditsFolder(join(privateFolder(), "edits")) });
  const book = new Reviews({ delivery: createDelivery(), editor, edits, onEvent, roots: () => [] });
  const feed = createContextFeed();
  const sessions = new SessionRegistry({
    findLeft: () => new Set(),
    editor,
    feed,
    book,
    connections: new Sessions({ reviews: book, onEvent }),
    onEvent,
  });
  const client = { name: "a poster", version: "1" };
  const open = () => sessions.open(gemini, { client, announced: undefined });
  const ends = () => events.filter(({ kind }) => kind === "session-closed").length;
  return { editor, book, sessions, open, ends };
}

function createStream() {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  return { response, stream: new EventStream(response, {}) };
}

test("a client that posts and listens on /events keeps its open diff for as long as the user needs", async () => {
  const { editor, book, sessions, open, ends } = createRegistry();
  const session = open();
  const { response, stream } = createStream();
  sessions.openObserver(gemini, () => stream);
  await book.propose(session, { key: "/a", filePath: "/a", newContent: "new" });
  await vi.advanceTimersByTimeAsync(60 * minute);
  expect([editor.diffs.size, ends()]).toEqual([1, 0]);
  // It goes away without a word: its time begins now.
  response.emit("close");
  await vi.advanceTimersByTimeAsync(9 * minute);
  expect(editor.diffs.size).toBe(1);
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect([editor.diffs.size, ends()]).toEqual([0, 1]);
});

test("a client that has no open diff, or whose agent nobody listens for, is gone after ten minutes", async () => {
  const { editor, book, sessions, open, ends } = createRegistry();
  open();
  await book.propose(open(), { key: "/a", filePath: "/a", newContent: "new" });
  sessions.openObserver(qwen, () => createStream().stream);
  await vi.advanceTimersByTimeAsync(11 * minute);
  expect([editor.diffs.size, ends()]).toEqual([0, 2]);
});

test("an outcome that has not left to a listener of /events goes to the next one", async () => {
  const { editor, book, sessions, open } = createRegistry();
  const [first, second] = [createStream(), createStream()];
  sessions.openObserver(gemini, () => first.stream);
  await book.propose(open(), { key: "/a", filePath: "/a", newContent: "new" });
  first.stream.write = () => {}; // its client does not read
  editor.accept("/a");
  sessions.openObserver(gemini, () => second.stream);
  const written = vi.fn();
  second.stream.write = written;
  first.response.emit("close");
  expect(written).toHaveBeenCalledOnce();
});
