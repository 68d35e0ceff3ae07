import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { notOffered, ourLibrary, runKit, within } from "../conformance/kit-run.ts";
import { startCompanion } from "../harness/companion.ts";
import { companionScript, nodes } from "../harness/installed.ts";
import { startMcpClient } from "../harness/mcp-client.ts";
import { scenario } from "../harness/scenario.ts";

const client = pathToFileURL(join(import.meta.dirname, "../../packages/companion/dist/client/index.js")).href;

/** Connects as an agent with the client library does, and prints what it has connected to. */
const connectByLibrary = `
  import { createIdeClient } from ${JSON.stringify(client)};
  const ide = createIdeClient({
    folder: process.cwd(),
    clientInfo: { name: "my-agent", title: "My Agent", version: "1.0.0" },
  });
  const { state, ide: found } = await ide.connect();
  console.log(state, found?.displayName);
  await ide.close();
`;

for (const [name, node] of Object.entries(nodes)) {
  const needs = { [name]: node };

  scenario(
    `on ${name} the command serves a page, editors and agents, and the client library connects`,
    async (sandbox) => {
      const run = (...args: string[]) =>
        promisify(execFile)(node, args, { cwd: sandbox.workspace, env: sandbox.env });
      expect((await run("--version")).stdout).toContain(name.replace("Node ", "v"));
      const companion = await startCompanion(sandbox, { node });
      expect(await loadPage(companion.link)).toContain("<script");
      expect((await run("--input-type=module", "--eval", connectByLibrary)).stdout).toMatch(/^connected \S/);
      const agent = await startMcpClient(sandbox, "Some Agent", node);
      expect(await agent.call("getOpenFiles")).toBeTypeOf("object");
      // No agent CLI is set up in this home, which the doctor explains.
      const diagnosis = await run(companionScript, "doctor", "gemini").catch(({ stdout }) => ({ stdout }));
      expect(diagnosis.stdout).toContain("Gemini CLI");
      expect((await run(companionScript, "run", "--help")).stdout).toContain("Start an agent CLI here");
      expect(await serveEditor(sandbox, node)).toBe(0);
      expect(await companion.stop()).toBe(143);
    },
    { needs, concurrent: true },
  );

  scenario(
    `on ${name} the kit checks the library, which fulfils the contract`,
    async (sandbox) => {
      expect(await runKit(sandbox, { node, ...ourLibrary(node) })).toEqual(notOffered);
    },
    { needs, concurrent: true, within },
  );
}

/** Opens the page as a browser does: the link gives a cookie and leads to the page. @returns its HTML */
async function loadPage(link: string): Promise<string> {
  const { headers } = await fetch(link, { redirect: "manual" });
  const cookie = headers.getSetCookie().map((text) => text.split(";")[0]);
  const page = await fetch(new URL(headers.get("location") ?? "", link), {
    headers: { cookie: cookie.join("; ") },
  });
  expect(page.status).toBe(200);
  return page.text();
}

/** Starts and ends the language server as an editor does. @returns its exit code */
async function serveEditor(sandbox: Sandbox, node: string): Promise<number | null> {
  const child = spawn(node, [companionScript, "lsp"], { cwd: sandbox.workspace, env: sandbox.env });
  const exit = once(child, "exit");
  sandbox.own({
    close: async () => {
      child.kill("SIGKILL");
      await exit;
    },
  });
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  const workspaceFolders = [{ uri: pathToFileURL(sandbox.workspace).href, name: "workspace" }];
  const params = { processId: process.pid, rootUri: null, capabilities: {}, workspaceFolders };
  expect(await connection.sendRequest("initialize", params)).toHaveProperty("capabilities");
  await connection.sendNotification("initialized", {});
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  const [code] = await exit;
  connection.dispose();
  return code;
}
