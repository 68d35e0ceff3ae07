import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { httpLimits } from "../../packages/companion/src/transport/loopback.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { startCompanion } from "../harness/companion.ts";
import { discoveryFiles } from "../harness/discovery-files.ts";
import { newerNode } from "../harness/installed.ts";
import { scenario } from "../harness/scenario.ts";

const installed = join(import.meta.dirname, "../mcp", "node_modules", "@modelcontextprotocol");
const suite = join(installed, "conformance", "dist", "index.js");
const inspector = join(installed, "inspector", "clients", "launcher", "build", "index.js");
const needs = { "the MCP conformance suite": suite, "the MCP inspector": inspector };

/** Runs a program of the MCP project on the Node that it wants. */
function run(sandbox: Sandbox, script: string, args: readonly string[]) {
  return new Promise<{ code: unknown; said: string }>((resolve) => {
    const options = { cwd: sandbox.workspace, env: sandbox.env, maxBuffer: 10_000_000 };
    execFile(join(newerNode, "node"), [script, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, said: `${stdout}${stderr}` });
    });
  });
}

async function tokenOf(sandbox: Sandbox): Promise<string> {
  const file = (await discoveryFiles(sandbox)).find((path) => path.includes("gemini")) ?? "";
  return JSON.parse(await readFile(file, "utf8")).authToken;
}

scenario(
  "the MCP project's own conformance suite finds what it can expect of a companion",
  async (sandbox) => {
    const { port } = await startCompanion(sandbox);
    const proxy = await startTokenProxy(sandbox, port, await tokenOf(sandbox));
    const expected = join(import.meta.dirname, "../mcp", "expected-failures.yml");
    const address = ["--url", `http://127.0.0.1:${proxy}/mcp`];
    const { code, said } = await run(sandbox, suite, [
      "server",
      ...address,
      ...["--expected-failures", expected, "--output-dir", sandbox.path("results")],
    ]);
    expect(code, said).toBe(0);
    for (const suite of ["server-initialize", "ping", "tools-list", "server-sse-multiple-streams"]) {
      expect(said).toMatch(new RegExp(`✓ ${suite}: 1 passed, 0 failed`));
    }
  },
  { needs },
);

scenario(
  "the MCP inspector lists the tools, calls one and learns what is wrong with a call",
  async (sandbox) => {
    const { port } = await startCompanion(sandbox);
    const token = await tokenOf(sandbox);
    const ask = (...method: string[]) =>
      run(sandbox, inspector, [
        ...["--cli", `http://127.0.0.1:${port}/mcp`, "--transport", "http"],
        ...["--header", `Authorization: Bearer ${token}`, "--method", ...method],
      ]);
    const listed = await ask("tools/list");
    expect(listed.code, listed.said).toBe(0);
    for (const tool of ["openDiff", "closeDiff", "acceptDiff", "rejectDiff"])
      expect(listed.said).toContain(`"${tool}"`);
    const file = sandbox.path("note.txt");
    const call = (...args: string[]) => ask("tools/call", "--tool-name", "openDiff", "--tool-arg", ...args);
    const opened = await call(`filePath=${file}`, "newContent=text");
    expect(opened.said).toMatch(/"content": \[\]/);
    const wrong = await call("filePath=note.txt", "newContent=text");
    expect(wrong.said).toContain('filePath must be absolute, got \\"note.txt\\"');
  },
  { needs },
);

/**
 * Adds the token to every request, for clients that cannot send one; passes on all else, a foreign Host included.
 * @returns its port
 */
async function startTokenProxy(sandbox: Sandbox, port: number, token: string): Promise<number> {
  // The companion's own, whose `Keep-Alive` is passed on.
  const server = createServer({ keepAliveTimeout: httpLimits.keepAliveTimeout }, (request, response) => {
    const { port: own } = server.address() as AddressInfo; // it listens on TCP
    const host = request.headers.host?.replace(`:${own}`, `:${port}`);
    const headers = { ...request.headers, host, authorization: `Bearer ${token}` };
    const { method, url: path } = request;
    const passed = send({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    response.on("close", () => passed.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  sandbox.own({
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  return (server.address() as AddressInfo).port;
}
