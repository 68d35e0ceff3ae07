import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ExampleEditor } from "./editor.ts";

/** Where the example's editor listens. */
export const editorSocket = ({ CONFORMANCE_FOLDER = tmpdir() }: NodeJS.ProcessEnv) =>
  join(CONFORMANCE_FOLDER, "example-editor");

/** Lets `editor-command.js` drive an editor: one line with action and arguments, answered with the result. */
export function serveEditor(editor: ExampleEditor): Server {
  const server = createServer(async (socket) => {
    const [line = ""] = await once(createInterface({ input: socket }), "line");
    const [action = "", ...args]: string[] = JSON.parse(line);
    const answer = await editor.perform(action, args).then(
      (said) => ({ said }),
      (error: unknown) => ({ error: String(error) }),
    );
    socket.end(JSON.stringify(answer));
  });
  return server.listen(editorSocket(process.env));
}
