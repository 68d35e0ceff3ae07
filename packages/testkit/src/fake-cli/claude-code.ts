import { once } from "node:events";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { poll } from "../waiting.ts";

/** A message as it stands on the wire. */
type Message = Record<string, unknown>;

export type ClaudeLock = ReturnType<typeof claudeLock>;

/** How Claude Code finds a companion. @param discoveryFiles of a companion */
export function claudeLock({ discoveryFiles }: { readonly discoveryFiles: readonly string[] }) {
  const file = discoveryFiles.find((path) => /\.claude[\\/]ide[\\/]/.test(path)) ?? "none";
  const content: Record<string, unknown> = JSON.parse(readFileSync(file, "utf8"));
  return { file, port: Number(basename(file, ".lock")), content, token: String(content.authToken) };
}

export const tokenHeader = "x-claude-code-ide-authorization";

/** Claude Code as a companion sees it: its handshake, its calls, and what it hears. */
export class ClaudeClient {
  readonly socket: WebSocket;
  readonly heard: Message[] = [];
  #count = 0;
  #isOver = false;

  /** @param end is handed what ends it: a test's own end, or that of who runs no tests */
  constructor(
    { port, token }: Pick<ClaudeLock, "port" | "token">,
    end: (cleanup: () => void) => void = onTestFinished,
  ) {
    const headers = { [tokenHeader]: token, "user-agent": "claude-code/2.1.332 (cli)" };
    this.socket = new WebSocket(`ws://127.0.0.1:${port}`, ["mcp"], { headers });
    this.socket.on("message", (data) => this.heard.push(JSON.parse(String(data))));
    end(() => {
      this.#isOver = true;
      this.socket.terminate();
    });
  }

  /** Connects and introduces itself as the CLI does. */
  static async connect(
    lock: Pick<ClaudeLock, "port" | "token">,
    pid = 4711,
    end?: (cleanup: () => void) => void,
  ): Promise<ClaudeClient> {
    const info = { name: "claude-code", title: "Claude Code", version: "2.1.332" };
    const client = await ClaudeClient.listen(lock, info, end);
    client.notify("ide_connected", { pid });
    await client.ask("tools/list", {});
    return client;
  }

  /** Connects as an agent that calls nothing. */
  static async listen(
    lock: Pick<ClaudeLock, "port" | "token">,
    clientInfo: object = { name: "opencode", version: "0.0.0" },
    end?: (cleanup: () => void) => void,
  ): Promise<ClaudeClient> {
    const client = new ClaudeClient(lock, end);
    await once(client.socket, "open");
    const capabilities = { roots: { listChanged: true } };
    await client.ask("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo });
    client.notify("notifications/initialized", {});
    return client;
  }

  notify(method: string, params: object): void {
    this.socket.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  /** @returns the whole answer, once it is there */
  async ask(method: string, params: object): Promise<Message> {
    const id = this.#count;
    this.#count += 1;
    this.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return this.#hear((message) => message.id === id);
  }

  /** @returns the texts of a tool's answer, once it is there */
  async call(name: string, input: object = {}): Promise<readonly string[]> {
    const { result, error } = await this.ask("tools/call", { name, arguments: input });
    if (error) throw new Error(JSON.stringify(error));
    const { content } = result as { content: { text: string }[] };
    return content.map(({ text }) => text);
  }

  openDiff(path: string, contents: string, tab = `tab of ${path}`): Promise<readonly string[]> {
    const input = { old_file_path: path, new_file_path: path, new_file_contents: contents, tab_name: tab };
    return this.call("openDiff", input);
  }

  /** What it was sent of a kind so far. */
  sent(method: string): unknown[] {
    return this.heard.filter((message) => message.method === method).map(({ params }) => params);
  }

  /** A diff may be left open: after the test nobody misses its answer. */
  async #hear(isMeant: (message: Message) => boolean): Promise<Message> {
    const look = () => this.heard.find(isMeant) ?? (this.#isOver || undefined);
    const describe = () => JSON.stringify(this.heard);
    const found = await poll("answer to Claude Code", look, { every: 10, describe });
    return found === true ? new Promise(() => {}) : found;
  }
}
