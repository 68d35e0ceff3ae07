import { until } from "../../../until.ts";
import type { Evidence } from "../../../wire/evidence.ts";
import { isJson, type Json, parseJson } from "../../../wire/json-rpc.ts";
import { Broken, demand, resultOf, textsOf } from "../../check.ts";
import type { Pending } from "../../question.ts";
import { type FrameSocket, upgrade } from "./frame-socket.ts";

/** The version of MCP that present CLIs ask for. */
const currentVersion = "2025-11-25";

/** A notification, and when it came. */
export interface Heard {
  readonly method: string;
  readonly params: Json;
  /** `performance.now()` */
  readonly at: number;
}

export interface CliOptions {
  readonly port: number;
  readonly token: string;
  readonly evidence: Evidence;
  /** Milliseconds for an answer that must come at once. */
  readonly answerWithin: number;
  readonly onUnanswered: () => void;
}

/** One CLI: what it sends over its socket, and what it has received. */
export class Cli {
  readonly heard: Heard[] = [];
  /** Answers to nothing that it has asked. */
  readonly stray: Json[] = [];
  /** `performance.now()` of the last `tools/list`. */
  listedAt = 0;
  readonly #options: CliOptions;
  readonly #answers = new Map<unknown, Json[]>();
  #socket: FrameSocket | undefined;
  #lastId = -1;

  constructor(options: CliOptions) {
    this.#options = options;
  }

  /** Opens the socket, as the CLI does. @throws Broken when it is refused */
  async open(): Promise<void> {
    const { port, token, answerWithin, evidence } = this.#options;
    evidence.note(`→ upgrade to ws://127.0.0.1:${port}/`);
    const { status, headers, socket } = await upgrade({
      port,
      headers: { ...cliHeaders, ...(token !== "" && { "x-claude-code-ide-authorization": token }) },
      within: answerWithin,
      onText: (text) => this.#hear(text),
    });
    evidence.note(`← ${status} ${JSON.stringify(headers)}`);
    if (!socket) throw new Broken(`the upgrade with the token was answered ${status}`);
    this.#socket = socket;
    const protocol = headers["sec-websocket-protocol"];
    demand(protocol === "mcp", `the subprotocol mcp was not echoed, got ${protocol ?? "none"}`);
  }

  /** The handshake of a CLI, up to the list of tools. @returns the result of `initialize` */
  async greet(version = currentVersion): Promise<Json> {
    const capabilities = { roots: { listChanged: true } };
    const clientInfo = { name: "claude-code", version: "2.1.332" };
    const params = { protocolVersion: version, capabilities, clientInfo };
    const introduction = resultOf(await this.request("initialize", params).answer(), "initialize");
    this.notify("notifications/initialized");
    this.notify("ide_connected", { pid: process.pid });
    await this.list();
    return introduction;
  }

  /** @returns the tools */
  async list(): Promise<readonly Json[]> {
    const { tools } = resultOf(await this.request("tools/list").answer(), "tools/list");
    this.listedAt = performance.now();
    return Array.isArray(tools) ? tools.filter(isJson) : [];
  }

  request(method: string, params: object = {}): Pending {
    this.#lastId += 1;
    const id = this.#lastId;
    const answers: Json[] = [];
    this.#answers.set(id, answers);
    this.sendText(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    const { answerWithin, onUnanswered } = this.#options;
    return {
      answers,
      answer: async (within = answerWithin) => {
        const first = await until(() => answers[0], within);
        if (first) return first;
        onUnanswered();
        throw new Broken(`${method} was not answered within ${within} ms`);
      },
    };
  }

  /** Calls a tool. */
  call(name: string, input: object): Pending {
    return this.request("tools/call", {
      name,
      arguments: input,
      _meta: { progressToken: this.#lastId + 1 },
    });
  }

  /** Calls a tool that answers at once. @returns its texts */
  async texts(name: string, input: object, within?: number): Promise<readonly string[]> {
    return textsOf(await this.call(name, input).answer(within), name);
  }

  notify(method: string, params: object = {}): void {
    this.sendText(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  sendText(text: string): void {
    this.#options.evidence.note(`→ ${text}`);
    this.#expectSocket().sendText(text);
  }

  /** What has come of a notification since. */
  of(method: string, since = 0): readonly Heard[] {
    return this.heard.filter((one) => one.method === method && one.at >= since);
  }

  /** Ends as a CLI that is killed. */
  cut(): void {
    this.#socket?.cut();
  }

  /** Ends as a CLI that exits. */
  close(): void {
    this.#socket?.close();
  }

  #expectSocket(): FrameSocket {
    if (!this.#socket) throw new Error("the socket was not opened");
    return this.#socket;
  }

  #hear(text: string): void {
    this.#options.evidence.note(`← ${text}`);
    const message = parseJson(text);
    if (!isJson(message)) return;
    if (typeof message.method === "string") {
      const { method, id } = message;
      const params = isJson(message.params) ? message.params : {};
      this.heard.push({ method, params, at: performance.now() });
      if (id !== undefined) this.#answerServer(method, id);
      return;
    }
    const answers = this.#answers.get(message.id);
    if (answers) answers.push(message);
    else this.stray.push(message);
  }

  /** The CLI answers some requests of its IDE. */
  #answerServer(method: string, id: unknown): void {
    const known: Readonly<Record<string, object>> = { ping: {}, "roots/list": { roots: [] } };
    const result = known[method];
    const error = { code: -32601, message: "Method not found" };
    this.sendText(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }));
  }
}

/** What the CLI sends with its upgrade, without the token. */
export const cliHeaders = {
  "sec-websocket-protocol": "mcp",
  "user-agent": "claude-code/2.1.332 (cli)",
} as const;
