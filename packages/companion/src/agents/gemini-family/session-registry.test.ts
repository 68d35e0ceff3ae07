import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { Reviews } from "../../core/changes/reviews.ts";
import { createContextFeed } from "../../core/context-feed.ts";
import { EditsStore } from "../../core/edits/edits-store.ts";
import { openEditsFolder } from "../../core/edits/recovered-edits.ts";
import { type CompanionEvent, createEventHub } from "../../core/events.ts";
import { Sessions } from "../../core/sessions.ts";
import { MemoryEditor } from "../../testing/memory-editor.ts";
import { createDelivery } from "../../testing/reviews.ts";
import { gemini } from "./gemini/agent.ts";
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
  const hub = createEventHub((event) => void events.push(event));
  const onEvent = hub.emit;
  const edits = new EditsStore({ folder: openEditsFolder(join(privateFolder(), "edits")) });
  const book = new Reviews({ delivery: createDelivery(), editor, edits, onEvent, roots: () => [] });
  const context = createContextFeed();
  const connections = new Sessions({ reviews: book, onEvent });
  const core = { editor, context, reviews: book, sessions: connections, events: hub };
  const sessions = new SessionRegistry(core, () => new Set());
  const client = { name: "a poster", version: "1" };
  const open = () => sessions.open(gemini, { client, announced: undefined });
  const ends = () => events.filter(({ kind }) => kind === "session-closed").length;
  return { editor, book, open, ends };
}

test("a client that only posts is gone after ten minutes, with its open diff", async () => {
  const { editor, book, open, ends } = createRegistry();
  await book.propose(open(), { key: "/a", filePath: "/a", newContent: "new" });
  await vi.advanceTimersByTimeAsync(9 * minute);
  expect([editor.diffs.size, ends()]).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect([editor.diffs.size, ends()]).toEqual([0, 1]);
});
