// Runs on Windows: an agent that has `ide-companion mcp` among its servers. Prints as JSON what came of it.
// `node mcp.mjs EXECUTABLE`
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { edit, executable, folder, print } from "./terminal.mjs";

const file = join(folder, "cart.txt");
writeFileSync(file, "old\r\n");
const editor = await edit("file:///c%3A/My%20Shop");
const client = new Client({ name: "some-agent", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [executable, "mcp"],
    cwd: folder,
    env: process.env,
    stderr: "inherit",
  }),
);
const { tools } = await client.listTools();
const proposal = { filePath: file, newContent: "mine\r\n", write: true };
const { structuredContent } = await client.callTool({ name: "openDiff", arguments: proposal });
await client.close();
const names = tools.map(({ name }) => name);
print({ names, outcome: structuredContent, text: readFileSync(file, "utf8"), code: await editor.close() });
