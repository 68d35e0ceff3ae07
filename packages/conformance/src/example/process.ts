import { readSystemFolders } from "../target/discovery-file.ts";
import { startExample } from "./companion.ts";
import { serveEditor } from "./remote.ts";
import type { Rules } from "./rules.ts";

/** The example as the whole of a process: a companion for the current folder, driven by `editor-command.js`. */
export async function startExampleProcess(rules: Partial<Rules> = {}): Promise<void> {
  const systemFolders = readSystemFolders(process.env);
  const example = await startExample({ systemFolders, folders: [process.cwd()], rules });
  const remote = serveEditor(example.editor);
  for (const signal of example.endsBy) {
    process.once(signal, () => {
      example.close();
      remote.close();
    });
  }
}
