import { randomUUID } from "node:crypto";
import { connect, type Socket } from "node:net";
import { until } from "../../../until.ts";
import type { Evidence } from "../../../wire/evidence.ts";
import { isJson, type Json, parseJson } from "../../../wire/json-rpc.ts";
import { Broken } from "../../check.ts";

/** Bytes of the length before each message. */
const lengthBytes = 4;

/** Bytes of the longest message that is read. */
const longest = 16 * 1024 * 1024;

/** A message as it goes over the socket: its length in bytes, little-endian, and its JSON. */
export function toFrame(message: object): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(lengthBytes);
  head.writeUInt32LE(text.length);
  return Buffer.concat([head, text]);
}

/** Puts messages together from the pieces in which they come. */
export class FrameReader {
  #rest = Buffer.alloc(0);

  /** @throws Error for a length that no message has, or what is no JSON object */
  push(piece: Buffer): Json[] {
    this.#rest = Buffer.concat([this.#rest, piece]);
    const messages: Json[] = [];
    while (this.#rest.length >= lengthBytes) {
      const length = this.#rest.readUInt32LE();
      if (length === 0 || length > longest) throw new Error(`a message of ${length} bytes`);
      if (this.#rest.length < lengthBytes + length) break;
      const message = parseJson(this.#rest.toString("utf8", lengthBytes, lengthBytes + length));
      if (!isJson(message)) throw new Error("a message that is no JSON object");
      messages.push(message);
      this.#rest = this.#rest.subarray(lengthBytes + length);
    }
    return messages;
  }
}

/** One program on the socket, as the CLI or another companion. */
export class IpcClient {
  /** All that has come, answers included. */
  readonly heard: Json[] = [];
  /** Answers what comes, where it is another one's question. */
  onMessage: (message: Json) => void = () => {};
  readonly #socket: Socket;
  readonly #note: (text: string) => void;

  /** @throws Broken when nobody answers at the socket */
  static connect(path: string, evidence?: Evidence): Promise<IpcClient> {
    return new Promise((resolve, reject) => {
      const socket = connect(path);
      socket.once("error", (error) => reject(new Broken(`${path} cannot be connected to: ${error.message}`)));
      socket.once("connect", () => resolve(new IpcClient(socket, (text) => evidence?.note(text))));
    });
  }

  constructor(socket: Socket, note: (text: string) => void) {
    this.#socket = socket;
    this.#note = note;
    const reader = new FrameReader();
    socket.on("data", (piece: Buffer) => {
      try {
        for (const message of reader.push(piece)) this.#hear(message);
      } catch (error) {
        note(`← ${String(error)}`);
        socket.destroy();
      }
    });
    socket.on("error", () => {}); // reset by the other side, and destroyed
  }

  send(message: object): void {
    this.#note(`→ ${JSON.stringify(message)}`);
    this.sendBytes(toFrame(message));
  }

  sendBytes(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  /**
   * @returns the response
   * @throws Broken when none comes in time
   */
  async ask(request: object, within: number): Promise<Json> {
    const requestId = randomUUID();
    this.send({ type: "request", sourceClientId: "codex-tui", version: 0, ...request, requestId });
    return this.awaitResponse(requestId, within);
  }

  async awaitResponse(requestId: string, within: number): Promise<Json> {
    const isIt = (one: Json) => one.type === "response" && one.requestId === requestId;
    const answer = await until(() => this.heard.find(isIt) ?? this.#socket.destroyed, within);
    if (answer === true) throw new Broken("the connection was closed without a response");
    if (answer === undefined) throw new Broken(`no response within ${within} ms`);
    return answer;
  }

  /** @returns the id that the router gives */
  async initialize(within: number): Promise<string> {
    const params = { clientType: "vscode" };
    const source = { sourceClientId: "initializing-client" };
    const { result } = await this.ask({ method: "initialize", params, ...source }, within);
    const clientId = isJson(result) ? result.clientId : undefined;
    if (typeof clientId !== "string" || clientId === "")
      throw new Broken(`initialize was answered with ${JSON.stringify(result)}, without a clientId`);
    return clientId;
  }

  close(): void {
    this.#socket.destroy();
  }

  #hear(message: Json): void {
    this.#note(`← ${JSON.stringify(message)}`);
    this.heard.push(message);
    this.onMessage(message);
  }
}

/** As the CLI asks before each message. */
export const question = (workspaceRoot: string, version = 0): object => ({
  method: "ide-context",
  params: { workspaceRoot },
  version,
});

/** @throws Broken for an error */
export function contextOf(response: Json): Json {
  const context = isJson(response.result) ? response.result.ideContext : undefined;
  if (response.resultType === "success" && isJson(context)) return context;
  throw new Broken(`the question was answered with ${JSON.stringify(response).slice(0, 300)}`);
}
