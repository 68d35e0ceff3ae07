import { join } from "node:path";
import { startServer } from "../../packages/companion/src/agents/gemini-family/family.ts";
import { gemini } from "../../packages/companion/src/agents/gemini-family/gemini/agent.ts";
import { Reviews } from "../../packages/companion/src/core/changes/reviews.ts";
import { openCommentsFolder } from "../../packages/companion/src/core/comments/comment.ts";
import { CommentsStore } from "../../packages/companion/src/core/comments/comments-store.ts";
import { CommentsDelivery } from "../../packages/companion/src/core/comments/delivery.ts";
import { EditsStore } from "../../packages/companion/src/core/edits/edits-store.ts";
import { openEditsFolder } from "../../packages/companion/src/core/edits/recovered-edits.ts";
import { Sessions } from "../../packages/companion/src/core/sessions.ts";
import { MemoryEditor } from "../../packages/companion/src/testing/memory-editor.ts";
import { serveCommands } from "./commands.mjs";
import { filesIn, toEditorContext } from "./context.mjs";

/** Our server with a simple feed: it sends what is published at once, without the debounce. */
const folder = process.env.BENCH_FOLDER;
const files = filesIn(folder);
const editor = new MemoryEditor();
const listeners = new Set();
let sessions = 0;

const feed = {
  current: { files: [] },
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

function onEvent({ kind, message }) {
  if (kind === "session-opened") sessions += 1;
  if (kind === "session-closed") sessions -= 1;
  if (kind === "warning") console.error(message);
}

function publish(snapshot) {
  const [active, ...others] = toEditorContext(files, snapshot).files;
  feed.current = { files: [{ ...active, isActive: true }, ...others] };
  for (const listener of listeners) listener(feed.current);
}

const roots = [folder];
const edits = new EditsStore({ folder: openEditsFolder(join(process.env.HOME, "edits")) });
const comments = new CommentsStore({ folder: openCommentsFolder(join(process.env.HOME, "comments")) });
const delivery = new CommentsDelivery({ store: comments, onEvent, prompt: async () => false });
const book = new Reviews({ editor, onEvent, edits, delivery, roots: () => roots });
const core = {
  version: "1.0.0",
  editor,
  context: feed,
  reviews: book,
  sessions: new Sessions({ reviews: book, onEvent }),
  sharing: { isPaused: false },
  events: { emit: onEvent, subscribe: () => () => {} },
  roots: () => roots,
};
const credentials = [{ agent: gemini, token: process.env.BENCH_TOKEN }];
const { port } = await startServer(core, credentials, () => new Set());
serveCommands({
  port,
  publish,
  sessions: () => sessions,
  accept: (filePath) => editor.accept(filePath),
});
