import { readFileSync } from "node:fs";
import { gemini } from "../../packages/companion/src/agents/gemini-family/gemini/agent.ts";
import { startCompanion } from "../../packages/companion/src/companion.ts";
import { MemoryEditor } from "../../packages/companion/src/testing/memory-editor.ts";
import { serveCommands } from "./commands.mjs";
import { filesIn, toEditorContext } from "./context.mjs";

/** The whole companion with a simulated editor: debounce, discovery files and all. */
const folder = process.env.BENCH_FOLDER;
const files = filesIn(folder);
const editor = new MemoryEditor();
let sessions = 0;

const companion = await startCompanion({
  editor,
  roots: [folder],
  onEvent({ kind, message }) {
    if (kind === "session-opened") sessions += 1;
    if (kind === "session-closed") sessions -= 1;
    if (kind === "warning") console.error(message);
  },
});
const file = companion.discoveryFiles.find((path) => path.includes(gemini.name));
process.send?.({ token: JSON.parse(readFileSync(file, "utf8")).authToken });
serveCommands({
  port: companion.port,
  publish: (snapshot) => editor.look(toEditorContext(files, snapshot)),
  sessions: () => sessions,
});
