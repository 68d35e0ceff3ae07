import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../testkit/src/eventually.ts";
import { WireClient } from "../../../../testkit/src/fake-cli/gemini-family.ts";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { discoveryContents, discoveryFiles } from "../../frontends/lsp/testing/lsp-client.ts";
import { messages } from "../../frontends/protocol/messages.ts";
import { privateHost } from "../../testing/core.ts";
import { executablePath, useExecutable } from "../process-fixture.ts";

useExecutable();

const repository = path.join(import.meta.dirname, "..", "..", "..", "..", "..");
const page = readFileSync(path.join(repository, "docs/reference/protocol.md"), "utf8");
const bin = mkdtempSync(path.join(tmpdir(), "ide-companion-bin-"));

beforeAll(() => {
  const command = `#!/bin/sh\nexec "${process.execPath}" "${executablePath()}" "$@"\n`;
  writeFileSync(path.join(bin, "ide-companion"), command, { mode: 0o755 });
});

afterAll(() => rmSync(bin, { recursive: true, force: true }));

/** A program in a private sandbox, in which the command is installed. */
function start(command: string, args: readonly string[], folder = privateFolder()) {
  const host = privateHost();
  mkdirSync(host.home);
  const child = spawn(command, args, {
    cwd: folder,
    env: { HOME: host.home, TMPDIR: host.tmp, PATH: `${bin}:${process.env.PATH}`, LANG: "C.UTF-8" },
    stdio: "pipe",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const says = (wanted: string) => eventually(() => expect(output).toContain(wanted));
  return { child, host, folder, ended, says, said: () => output };
}

describe("the example of the protocol's page", () => {
  test("serves an agent from the first message to the last", async () => {
    const [, code = ""] = /```js\n(.*?)```/s.exec(page) ?? [];
    expect(code.split("\n").length).toBeLessThanOrEqual(61);
    const script = path.join(privateFolder(), "example.mjs");
    writeFileSync(script, code);
    const folder = privateFolder();
    const open = path.join(folder, "open.txt");
    writeFileSync(open, "text\n");
    const { child, host, ended, says, said } = start(process.execPath, [script, open], folder);
    await says("0 connected");

    const { port, authToken = "" } = await discoveryContents(host, "gemini");
    const agent = await new WireClient(port, authToken).initialize();
    const stream = await agent.openStream();
    await says("1 connected");
    await stream.next(({ params }) => JSON.stringify(params).includes(open));

    const propose = async (name: string) => {
      await agent.call("openDiff", { filePath: path.join(folder, name), newContent: `text of ${name}` });
      await says(`: Gemini CLI proposes ${name}`);
      return new RegExp(`(\\S+): Gemini CLI proposes ${name}`).exec(said())?.[1];
    };
    child.stdin.write(`diffAccepted ${await propose("one")}\n`);
    expect((await stream.method("ide/diffAccepted")).params).toMatchObject({ content: "text of one" });
    child.stdin.write(`diffRejected ${await propose("two")}\n`);
    expect((await stream.method("ide/diffRejected")).params).toEqual({ filePath: path.join(folder, "two") });
    await propose("three");
    const closed = await agent.call("closeDiff", { filePath: path.join(folder, "three") });
    expect(JSON.stringify(closed)).toContain("text of three");

    child.stdin.end();
    expect(await ended).toBe(0);
    expect(discoveryFiles(host, "gemini")).toEqual([]);
  });

  test("stands next to messages that are as the schemas have them", () => {
    const examples = [...page.matchAll(/```json (\S+)\n(.*?)```/gs)];
    expect(examples.length).toBeGreaterThan(6);
    for (const [, method = "", json = ""] of examples) {
      const message = Object.values(messages).find((known) => known.method === method);
      expect(message?.params.parse(JSON.parse(json)), method).toEqual(JSON.parse(json));
    }
  });
});

describe("ide-companion lsp", () => {
  test("takes the --stdio that some editors add, and ends with its standard input", async () => {
    const { child, ended } = start("ide-companion", ["lsp", "--stdio"]);
    child.stdin.end();
    expect(await ended).toBe(1);
  });

  test("ends with an editor that dies in the middle of a message", async () => {
    const { child, ended } = start("ide-companion", ["lsp"]);
    child.stdin.end('Content-Length: 100\r\n\r\n{"jsonrpc');
    expect(await ended).toBe(1);
  });

  test("ends with an editor that dies while a proposal is on its way to its screen", async () => {
    const { child, host, folder, ended, says } = start("ide-companion", ["lsp"]);
    const capabilities = { experimental: { ideCompanion: { version: 1 } } };
    for (const message of [
      { id: 1, method: "initialize", params: { processId: process.pid, capabilities } },
      { method: "initialized", params: {} },
    ]) {
      const json = JSON.stringify({ jsonrpc: "2.0", ...message });
      child.stdin.write(`Content-Length: ${json.length}\r\n\r\n${json}`);
    }
    await eventually(() => expect(discoveryFiles(host, "gemini")).toHaveLength(1));
    const { port, authToken = "" } = await discoveryContents(host, "gemini");
    const agent = await new WireClient(port, authToken).initialize();
    const proposed = agent.call("openDiff", { filePath: path.join(folder, "a.txt"), newContent: "text" });
    proposed.catch(() => {}); // nobody answers any more
    await says('"companion/openDiff"');
    child.stdin.end();
    expect(await ended).toBe(1);
  });

  test("ends, and says why, with an editor that does not speak LSP", async () => {
    const { child, ended, says } = start("ide-companion", ["lsp"]);
    child.stdin.write("Content-Length: two\r\n\r\n{}");
    await says("does not speak LSP");
    expect(await ended).toBe(1);
  });

  test("writes nothing but messages to standard output", async () => {
    const { child, ended } = start("ide-companion", ["lsp"]);
    const output = text(child.stdout);
    const request = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { capabilities: {} },
    });
    const exit = JSON.stringify({ jsonrpc: "2.0", method: "exit" });
    for (const message of [request, exit]) {
      child.stdin.write(`Content-Length: ${message.length}\r\n\r\n${message}`);
    }
    expect(await ended).toBe(1);
    expect(await output).toMatch(/^Content-Length: \d+\r\n\r\n\{.*\}$/);
  });
});
