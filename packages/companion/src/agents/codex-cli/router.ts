import { randomUUID } from "node:crypto";
import { isObject, tryParseJson } from "../../system/json.ts";
import type { FramedChannel } from "../../transport/framed-socket.ts";
import { type Concern, isAnswerable } from "./ide-context.ts";
import { failure, type IpcRequest, parseIpcMessage, success, toResponse } from "./messages.ts";

/** In milliseconds. */
export const routerLimits = {
  /** For all clients to say whether they can answer. The CLI waits 5 s for everything. */
  discovery: 1000,
  /** For the one that can. */
  request: 5000,
  /** For a connection to introduce itself or to ask. */
  idle: 15_000,
};

/** Requests of one connection that wait for an answer; more of them are answered at once: nobody can. */
const maxPending = 64;

/** What a companion answers itself, as router or as client. */
export interface Answerer {
  concern(request: IpcRequest): Concern;
  /** The result for a request that concerns it, and for nothing else; undefined where there is none. */
  answer(request: IpcRequest): object | undefined | Promise<object | undefined>;
}

interface Client {
  readonly id: string;
  readonly channel: FramedChannel;
  type?: string;
  isOver: boolean;
  /** Requests that it has sent, and that wait for an answer. */
  pending: number;
}

/**
 * The one program on the socket through which all others speak: it answers what it can, and finds for everything else
 * the client that can. What others say to each other is passed on as it is; nothing of it is kept or reported.
 * @see docs/reference/codex-cli.md
 */
export class Router {
  readonly #id = randomUUID();
  readonly #answerer: Answerer;
  readonly #clients = new Set<Client>();
  /** Who has asked whom what, until the answer; by the client that is asked, and the request. */
  readonly #asked = new Map<string, { readonly handler: Client; settle(reply: Reply): void }>();

  constructor(answerer: Answerer) {
    this.#answerer = answerer;
  }

  /** @returns whether the connection has introduced itself, which one with a single question does not */
  add(channel: FramedChannel): () => boolean {
    const client: Client = { id: randomUUID(), channel, isOver: false, pending: 0 };
    this.#clients.add(client);
    channel.onMessage((text) => this.#take(client, text));
    channel.onClose(() => this.#remove(client));
    const idle = setTimeout(() => {
      if (client.type === undefined && client.pending === 0) channel.close();
    }, routerLimits.idle).unref();
    channel.onClose(() => clearTimeout(idle));
    return () => client.type !== undefined;
  }

  close(): void {
    for (const { channel } of this.#clients) channel.close();
  }

  #take(client: Client, text: string): void {
    const value = tryParseJson(text);
    const message = parseIpcMessage(value);
    if (!message || !isObject(value)) return;
    switch (message.type) {
      case "request":
        if (message.method === "initialize") this.#initialize(client, message);
        else void this.#route(client, message, value);
        break;
      case "broadcast":
        this.#broadcast(client, { ...value, sourceClientId: client.id }, message.targetClientIds);
        break;
      case "response":
        this.#asked.get(keyOf(client, message))?.settle({ text });
        break;
      case "client-discovery-response":
        this.#asked.get(keyOf(client, message))?.settle(message);
    }
  }

  #initialize(client: Client, request: IpcRequest): void {
    const isNew = client.type === undefined;
    client.type = String(request.params.clientType ?? "");
    send(client, success(request, client.id, { clientId: client.id }));
    if (isNew) this.#announce(client, "connected");
  }

  async #route(from: Client, request: IpcRequest, value: object): Promise<void> {
    if (from.pending >= maxPending) return send(from, failure(request, "no-client-found"));
    from.pending += 1;
    const reply = await this.#findReply(from, request, value);
    from.pending -= 1;
    if (typeof reply === "string") from.channel.send(reply);
    else send(from, reply);
  }

  /** @returns the answer as its client has worded it, or our own */
  async #findReply(from: Client, request: IpcRequest, value: object): Promise<string | object> {
    const own = async () => toResponse(request, this.#id, await this.#answerer.answer(request));
    const passedOn = { ...value, sourceClientId: sourceOf(from, value) };
    const concern = this.#answerer.concern(request);
    const { targetClientId } = request;
    if (targetClientId === this.#id) {
      return isAnswerable(concern) ? own() : failure(request, "no-handler-for-request");
    }
    if (targetClientId !== undefined) {
      const target = this.#introduced(from).find(({ id }) => id === targetClientId);
      return target ? this.#ask(target, request, passedOn) : failure(request, "no-client-found");
    }
    if (concern === "own") return own();
    const handler = await this.#discover(from, passedOn);
    if (handler) return this.#ask(handler, request, passedOn);
    if (concern === "below") return own();
    return failure(request, concern === "other-version" ? "request-version-mismatch" : "no-client-found");
  }

  /** The first client that says it can answer. */
  async #discover(from: Client, request: object): Promise<Client | undefined> {
    const requestId = randomUUID();
    const asked = this.#introduced(from).map(async (client) => {
      const question = { type: "client-discovery-request", requestId, request };
      const reply = await this.#exchange(client, requestId, question, routerLimits.discovery);
      if ("canHandle" in reply && reply.canHandle) return client;
      throw new Error("it cannot");
    });
    return Promise.any(asked).catch(() => undefined);
  }

  async #ask(handler: Client, request: IpcRequest, value: object): Promise<string | object> {
    const reply = await this.#exchange(handler, request.requestId, value, routerLimits.request);
    if ("text" in reply) return reply.text;
    return failure(request, "error" in reply ? reply.error : "no-handler-for-request");
  }

  #exchange(handler: Client, requestId: string, message: object, patience: number): Promise<Reply> {
    return new Promise((resolve) => {
      const key = keyOf(handler, { requestId });
      // Two requests of one id cannot be distinguished.
      if (this.#asked.has(key)) return resolve({ error: "no-client-found" });
      const settle = (reply: Reply) => {
        clearTimeout(timer);
        this.#asked.delete(key);
        resolve(reply);
      };
      const timer = setTimeout(() => settle({ error: "request-timeout" }), patience).unref();
      this.#asked.set(key, { handler, settle });
      if (handler.isOver) settle({ error: "client-disconnected" });
      else send(handler, message);
    });
  }

  #broadcast(from: Client, message: object, targets?: readonly unknown[]): void {
    const text = JSON.stringify(message);
    for (const client of this.#introduced(from)) {
      if (targets?.includes(client.id) ?? true) client.channel.send(text);
    }
  }

  #announce(client: Client, status: "connected" | "disconnected"): void {
    this.#broadcast(client, {
      type: "broadcast",
      method: "client-status-changed",
      sourceClientId: this.#id,
      version: 0,
      params: { clientId: client.id, clientType: client.type, status },
    });
  }

  #remove(client: Client): void {
    client.isOver = true;
    this.#clients.delete(client);
    for (const { handler, settle } of this.#asked.values()) {
      if (handler === client) settle({ error: "client-disconnected" });
    }
    if (client.type !== undefined) this.#announce(client, "disconnected");
  }

  /** The other clients; a connection with a single question is none. */
  #introduced(but: Client): readonly Client[] {
    return [...this.#clients].filter((client) => client !== but && client.type !== undefined);
  }
}

/** What a client says, or why it says nothing. */
type Reply =
  | { readonly text: string }
  | { readonly canHandle: boolean }
  | { readonly error: "request-timeout" | "client-disconnected" | "no-client-found" };

const keyOf = ({ id }: Client, { requestId }: { readonly requestId: string }) => `${id} ${requestId}`;

const send = ({ channel }: Client, message: object) => channel.send(JSON.stringify(message));

/** A client speaks for itself alone; a connection with a single question names itself. */
const sourceOf = (from: Client, value: object) =>
  from.type === undefined && "sourceClientId" in value ? value.sourceClientId : from.id;
