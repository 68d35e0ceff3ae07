import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveCommands } from "./commands.mjs";
import { filesIn, toIdeContext } from "./context.mjs";

const authorization = `Bearer ${process.env.BENCH_TOKEN}`;

/**
 * What the minimal servers have in common: it authenticates, and publishes contexts.
 * @param {import("node:http").RequestListener} handle
 * @param {{ send: (params: object) => void, sessions: () => number }} server
 *   `send` sends the params of `ide/contextUpdate` to all clients
 */
export function serveMinimally(handle, { send, sessions }) {
  const files = filesIn(process.env.BENCH_FOLDER);
  const http = createServer((request, response) => {
    if (request.headers.authorization !== authorization) return response.writeHead(401).end();
    return handle(request, response);
  });
  http.keepAliveTimeout = 120_000;
  http.listen(0, "127.0.0.1", () => {
    const publish = (snapshot) => send(toIdeContext(files, snapshot));
    const { port } = http.address();
    // As a companion announces itself, where its start is measured.
    if (!process.send)
      writeFileSync(join(tmpdir(), "gemini", "ide", "minimal.json"), JSON.stringify({ port }));
    serveCommands({ port, publish, sessions });
  });
}

/** The tools, which hold the texts of open diffs by path. */
export function createTools() {
  const diffs = new Map();
  return function callTool(name, { filePath, newContent }) {
    if (name === "openDiff") {
      diffs.set(filePath, newContent);
      return { content: [] };
    }
    const content = diffs.get(filePath) ?? "";
    diffs.delete(filePath);
    return { content: [{ type: "text", text: JSON.stringify({ content }) }] };
  };
}
