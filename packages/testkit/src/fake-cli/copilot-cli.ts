import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { onTestFinished } from "vitest";
import { eventually } from "../eventually.ts";
import { openWireStream, send, type WireEvent, type WireReply, type WireStream } from "./gemini-family.ts";

/** A message as it stands on the wire. */
type Message = Record<string, unknown>;

/** How Copilot CLI finds a companion. */
export interface CopilotLock {
  readonly file: string;
  readonly content: Record<string, unknown>;
  readonly socketPath: string;
  readonly headers: Record<string, string>;
}

/** @param discoveryFiles of a companion */
export function copilotLock({ discoveryFiles }: { readonly discoveryFiles: readonly string[] }): CopilotLock {
  const file = discoveryFiles.find((path) => /[\\/]ide[\\/][0-9a-f-]{36}\.lock$/.test(path)) ?? "none";
  const content = JSON.parse(readFileSync(file, "utf8"));
  return { file, content, socketPath: content.socketPath, headers: content.headers };
}

type Route = Pick<CopilotLock, "socketPath" | "headers">;

/** Copilot CLI as a companion sees it: its introduction, its calls, and what it hears. */
export class CopilotClient {
  readonly id: string;
  readonly heard: WireEvent[] = [];
  readonly #route: Route;
  readonly #life = new AbortController();
  #isIntroduced = false;
  #stream: WireStream | undefined;
  #count = 0;

  /** @param end is handed what ends it: a test's own end, or that of who runs no tests */
  constructor(
    { socketPath, headers }: Route,
    id: string = randomUUID(),
    end: (cleanup: () => void) => void = onTestFinished,
  ) {
    this.#route = { socketPath, headers };
    this.id = id;
    end(() => this.kill());
  }

  /** Connects and introduces itself as the CLI does: a later protocol first, and then by the one with sessions. */
  static async connect(lock: Route, id?: string): Promise<CopilotClient> {
    const client = new CopilotClient(lock, id);
    await client.initialize();
    await client.openStream();
    await client.ask("tools/list", { _meta: { progressToken: 0 } });
    return client;
  }

  async initialize(): Promise<Message> {
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
    await this.ask("server/discover", { _meta });
    const clientInfo = { name: "copilot-cli", version: "1.0.102" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const reply = await this.ask("initialize", params);
    this.#isIntroduced = true;
    await this.post({ jsonrpc: "2.0", method: "notifications/initialized" });
    return reply;
  }

  async openStream(): Promise<void> {
    const headers = { ...this.headers, "mcp-session-id": this.id, accept: "text/event-stream" };
    this.#stream = await openWireStream(this.#route.socketPath, headers, "/mcp", this.#life.signal);
    this.heard.push(...this.#stream.events);
    this.#stream.onEvent = (event) => void this.heard.push(event);
  }

  cutStream(): void {
    this.#stream?.response.destroy();
  }

  get isListening(): boolean {
    return this.#stream?.response.destroyed === false;
  }

  get headers(): Record<string, string> {
    return {
      ...this.#route.headers,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "x-copilot-session-id": this.id,
      "x-copilot-pid": "4711",
      "x-copilot-parent-pid": "4710",
      ...(this.#isIntroduced && { "mcp-session-id": this.id }),
    };
  }

  post(message: object): Promise<WireReply> {
    const body = JSON.stringify(message);
    return send(this.#route.socketPath, { headers: this.headers, body, signal: this.#life.signal });
  }

  /** @returns the whole answer, once it is there */
  async ask(method: string, params: object): Promise<Message> {
    const id = this.#count;
    this.#count += 1;
    return JSON.parse((await this.post({ jsonrpc: "2.0", id, method, params })).body);
  }

  /** @returns what a tool's answer holds, once it is there */
  async call(name: string, input: object = {}): Promise<unknown> {
    const { result, error } = await this.ask("tools/call", { name, arguments: input });
    if (error) throw new Error(JSON.stringify(error));
    const { content, isError } = result as { content: { text: string }[]; isError?: boolean };
    const [{ text } = { text: "" }] = content;
    if (isError) throw new Error(text);
    return JSON.parse(text);
  }

  openDiff(path: string, contents: string, tab = `[Copilot CLI] - ${path}`): Promise<unknown> {
    return this.call("open_diff", {
      original_file_path: path,
      new_file_contents: contents,
      tab_name: tab,
    });
  }

  /** What it was sent of a kind so far. */
  sent(method: string): unknown[] {
    return this.heard.filter((message) => message.method === method).map(({ params }) => params);
  }

  /** Resolves once it was sent this. */
  hears(method: string, params: object): Promise<void> {
    return eventually(() => {
      if (!this.sent(method).some((one) => JSON.stringify(one) === JSON.stringify(params)))
        throw new Error(`not heard yet: ${JSON.stringify(this.heard)}`);
    });
  }

  goodbye(): Promise<WireReply> {
    return send(this.#route.socketPath, { method: "DELETE", headers: this.headers });
  }

  /** All of its connections break. */
  kill(): void {
    this.#life.abort();
  }
}
