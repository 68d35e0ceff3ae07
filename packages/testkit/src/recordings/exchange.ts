import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { connect as connectSocket } from "node:net";
import { text } from "node:stream/consumers";
import { createParser } from "eventsource-parser";
import { WebSocket } from "ws";
import { FrameParser, toFrame } from "../frames.ts";
import { framesMethod, type Heard, type Part, parse } from "./recording.ts";

export type Exchange = ReturnType<typeof startExchange>;

/** Where a companion listens. */
export interface Target {
  /** Of 127.0.0.1. */
  readonly port: number;
  /** The path of its socket, for an agent that uses no port. */
  readonly socket?: string;
}

/** Headers of an answer that a CLI may depend on. */
const ofAnswer = /^(?:content-type|mcp-session-id|sec-websocket-protocol|www-authenticate)$/;

export const headersOfAnswer = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => ofAnswer.test(name))
      .map(([name, value]) => [name, String(value)]),
  );

export function isEventStream(method: string, { headers }: IncomingMessage): boolean {
  return method === "GET" && String(headers["content-type"]).startsWith("text/event-stream");
}

/** Starts a request to a companion, and receives all that follows it. */
export function startExchange({ port, socket }: Target, wanted: Part<"request">["request"]) {
  const inbox = new Inbox();
  const start = () => {
    if (wanted.method === framesMethod) return connectFrames(socket ?? "", inbox);
    const to = socket === undefined ? { host: "127.0.0.1", port } : { socketPath: socket };
    return wanted.headers.upgrade === undefined ? post(to, wanted, inbox) : connect(port, wanted, inbox);
  };
  const connection = start();
  return {
    ...connection,
    /** Received, and not yet returned by `next`. */
    heard: inbox.heard,
    /** The next message, past or future. @throws Error when none comes within these milliseconds */
    next: (within: number) => inbox.next(within),
  };
}

interface Connection {
  /** Sends a message on a socket, once it is open. */
  send(frame: string): void;
  /** @param code of a WebSocket; without one the connection breaks */
  close(code?: number): void;
}

/** A port, or a socket. */
type Address = Pick<RequestOptions, "host" | "port" | "socketPath">;

function post(to: Address, wanted: Part<"request">["request"], inbox: Inbox): Connection {
  const { method, path, headers, body } = wanted;
  const options = { ...to, method, path, headers, agent: false };
  const outgoing = request(options, (answer) => {
    const head = { status: answer.statusCode ?? 0, headers: headersOfAnswer(answer) };
    if (!isEventStream(method, answer)) {
      text(answer).then(
        (content) => inbox.take({ response: { ...head, ...(content !== "" && { body: parse(content) }) } }),
        () => inbox.take({ close: {} }),
      );
      return;
    }
    inbox.take({ response: head });
    const parser = createParser({
      onEvent: ({ id, data }) =>
        inbox.take({ event: { ...(id !== undefined && { id }), data: parse(data) } }),
    });
    answer.setEncoding("utf8").on("data", (chunk: string) => parser.feed(chunk));
    answer.on("error", () => {}); // it also closes
    answer.on("close", () => inbox.take({ close: {} }));
  });
  outgoing.on("error", () => inbox.take({ close: {} }));
  outgoing.end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
  return {
    send: () => {
      throw new Error("an HTTP request has no frames");
    },
    close() {
      inbox.stop();
      outgoing.destroy();
    },
  };
}

function connect(port: number, { path, headers }: Part<"request">["request"], inbox: Inbox): Connection {
  const { upgrade: _, "sec-websocket-protocol": protocols = "", ...others } = headers;
  const offered = protocols.split(",").map((name) => name.trim());
  const socket = new WebSocket(
    `ws://127.0.0.1:${port}${path}`,
    offered.filter((name) => name !== ""),
    { headers: others, maxPayload: 0 },
  );
  const takeHead = (answer: IncomingMessage) =>
    inbox.take({ response: { status: answer.statusCode ?? 0, headers: headersOfAnswer(answer) } });
  socket.on("upgrade", takeHead);
  socket.on("unexpected-response", (_request, answer) => {
    takeHead(answer);
    socket.terminate();
  });
  socket.on("message", (data) => inbox.take({ frame: parse(String(data)) }));
  socket.on("close", (code) => inbox.take({ close: { code } }));
  socket.on("error", () => {}); // it also closes
  return {
    send: (frame) => socket.send(frame),
    close(code) {
      inbox.stop();
      if (code === undefined || code === 1006) socket.terminate();
      else if (code === 1005) socket.close();
      else socket.close(code);
    },
  };
}

function connectFrames(path: string, inbox: Inbox): Connection {
  const socket = connectSocket(path);
  const parser = new FrameParser((text) => inbox.take({ frame: parse(text) }));
  socket.on("data", (chunk) => parser.push(chunk));
  socket.on("close", () => inbox.take({ close: {} }));
  socket.on("error", () => {}); // it also closes
  return {
    send: (frame) => void socket.write(toFrame(frame)),
    close() {
      inbox.stop();
      socket.destroy();
    },
  };
}

/** Messages in the order in which they came. */
class Inbox {
  readonly heard: Heard[] = [];
  #isOpen = true;
  #wake: () => void = () => {};

  take(heard: Heard): void {
    if (!this.#isOpen) return;
    this.heard.push(heard);
    this.#wake();
  }

  /** Ignores what comes from now on. */
  stop(): void {
    this.#isOpen = false;
  }

  async next(within: number): Promise<Heard> {
    if (this.heard.length === 0) {
      await new Promise<void>((resolve, reject) => {
        const late = () => reject(new Error(`the companion sends nothing within ${within} ms`));
        const timer = setTimeout(late, within);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    const [first] = this.heard.splice(0, 1);
    if (!first) throw new Error("the companion sends nothing");
    return first;
  }
}
