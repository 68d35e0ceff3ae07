import { readFileSync } from "node:fs";
import { gemini } from "../../packages/companion/src/agents/gemini-family/gemini/agent.ts";
import { startServing } from "../../packages/companion/src/companion.ts";
import { MemoryEditor } from "../../packages/companion/src/testing/memory-editor.ts";
import { serveCommands } from "./commands.mjs";
import { filesIn, toEditorContext } from "./context.mjs";

/**
 * Runs a companion with a simulated editor, discovery files and all.
 * @param {readonly import("../../packages/companion/src/agents/family.ts").AgentFamily[]} families
 * @param {(editor: MemoryEditor, context: ReturnType<typeof toEditorContext>) => void} publish
 */
export async function serveCompanion(families, publish) {
  const folder = process.env.BENCH_FOLDER;
  const files = filesIn(folder);
  const editor = new MemoryEditor();
  let sessions = 0;
  const companion = await startServing({
    ...{ editor, roots: [folder], families },
    onEvent({ kind, message }) {
      if (kind === "session-opened") sessions += 1;
      if (kind === "session-closed") sessions -= 1;
      if (kind === "warning") console.error(message);
    },
  });
  const file = companion.discoveryFiles.find((path) => path.includes(gemini.name));
  serveCommands({
    port: companion.port,
    token: JSON.parse(readFileSync(file, "utf8")).authToken,
    publish: (snapshot) => publish(editor, toEditorContext(files, snapshot)),
    sessions: () => sessions,
    accept: (filePath) => editor.accept(filePath),
  });
}
