import { once } from "node:events";
import http from "node:http";
import { connect as openSocket } from "node:net";
import { dataUntil, now } from "./rounds.mjs";

const protocol = "2025-06-18";

/**
 * The client side of an agent CLI: the same for every server, and lighter than any of them. Requests are
 * serialised before the clock starts, and go over one socket, one after another.
 */
export class WireClient {
  #server;
  #socket;
  #headers;
  #lastId = 0;

  /** @param {{ port: number, token: string }} server */
  constructor(server) {
    this.#server = server;
    this.#headers = {
      authorization: `Bearer ${server.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
  }

  /** initialize and notifications/initialized; @returns whether there was room for another session. */
  async initialize() {
    const clientInfo = { name: "streamable-http-client", version: "1.0.0" };
    const params = { protocolVersion: protocol, capabilities: {}, clientInfo };
    const { status, session, body } = await this.post(this.message("initialize", params));
    if (status === 503) return false;
    expectStatus(status, 200, body);
    this.#headers["mcp-session-id"] = session;
    this.#headers["mcp-protocol-version"] = protocol;
    const initialized = await this.post(
      this.#request({ jsonrpc: "2.0", method: "notifications/initialized" }),
    );
    expectStatus(initialized.status, 202, initialized.body);
    return true;
  }

  /** A session with an open stream. */
  async connect() {
    if (!(await this.initialize())) throw new Error("the server has no room for another session");
    return this.openStream();
  }

  /** @returns {Promise<WireStream>} */
  openStream() {
    const headers = { ...this.#headers, accept: "text/event-stream" };
    const options = { host: "127.0.0.1", port: this.#server.port, path: "/mcp", headers, agent: false };
    return new Promise((resolve, reject) => {
      const request = http.get(options, (response) => {
        if (response.statusCode === 200) resolve(new WireStream(response));
        else reject(new Error(`the stream was answered with ${response.statusCode}`));
      });
      request.on("error", reject);
    });
  }

  /** A request of the protocol as the bytes that go over the wire. */
  message(method, params) {
    this.#lastId += 1;
    return this.#request({ jsonrpc: "2.0", id: this.#lastId, method, params });
  }

  /** The calls of the tools that open a diff and close it again. */
  diff(filePath, newContent) {
    const toolCall = (name, input) => this.message("tools/call", { name, arguments: { filePath, ...input } });
    return {
      open: toolCall("openDiff", { newContent }),
      close: toolCall("closeDiff", { suppressNotification: true }),
    };
  }

  /** @param {Buffer} message of `diff`; @throws {Error} unless the tool did what it was asked. */
  async call(message) {
    const { status, body } = await this.post(message);
    expectStatus(status, 200, body);
    const ends = body.subarray(0, 300).toString() + body.subarray(-300).toString();
    if (ends.includes('"isError":true') || ends.includes('"error":')) throw new Error(ends);
  }

  /**
   * Sends a request and reads its answer.
   * @param {Buffer} request of `message`
   * @returns {Promise<{ status: number, session?: string, body: Buffer }>}
   */
  async post(request) {
    this.#socket ??= await openSocketTo(this.#server.port);
    return exchange(this.#socket, request);
  }

  /** Closes the connection of the posts, as a killed process does. */
  close() {
    this.#socket?.destroy();
  }

  #request(message) {
    const body = Buffer.from(JSON.stringify(message));
    const headers = {
      host: `127.0.0.1:${this.#server.port}`,
      ...this.#headers,
      "content-length": body.length,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return Buffer.concat([Buffer.from(`POST /mcp HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`), body]);
  }
}

export async function openSocketTo(port) {
  const socket = openSocket({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  return socket;
}

const lastChunk = Buffer.from("0\r\n\r\n");

/** One request and its answer; a chunked body stays in its chunks. */
function exchange(socket, request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let received = 0;
    let answer;
    const stop = () => {
      socket.off("data", take);
      socket.off("close", fail);
      socket.off("error", fail);
    };
    const fail = () => {
      stop();
      reject(new Error("the connection ended in the middle of an answer"));
    };
    const take = (chunk) => {
      chunks.push(chunk);
      received += chunk.length;
      answer ??= parseHead(chunks.length === 1 ? chunk : Buffer.concat(chunks));
      if (answer === undefined || !isWhole(answer, received, chunk)) return;
      stop();
      const { status, session, start } = answer;
      resolve({ status, session, body: Buffer.concat(chunks).subarray(start) });
    };
    socket.on("data", take);
    socket.on("close", fail);
    socket.on("error", fail);
    socket.write(request);
  });
}

/** A chunk of an event stream ends between events: the last chunk is never split. */
const isWhole = ({ start, length }, received, chunk) =>
  length === undefined ? chunk.subarray(-lastChunk.length).equals(lastChunk) : received >= start + length;

/** @returns undefined while the header is incomplete */
function parseHead(bytes) {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const head = bytes.toString("latin1", 0, end);
  const header = (name) => new RegExp(`^${name}: *(.*?) *\r?$`, "im").exec(head)?.[1];
  return {
    status: Number(head.split(" ", 2)[1]),
    session: header("mcp-session-id"),
    start: end + 4,
    length: header("transfer-encoding") === "chunked" ? undefined : Number(header("content-length") ?? 0),
  };
}

/**
 * Opens a session and a stream with an announced companion.
 * @param {{ port: number, authToken: string }} companion
 */
export async function connect({ port, authToken }) {
  const client = new WireClient({ port, token: authToken });
  return { client, stream: await client.connect() };
}

/** Publishes a context. @returns milliseconds until the last of the streams has it */
export async function publish(server, bytes, ...streams) {
  const seen = streams.map(({ arrivals }) => arrivals.length);
  await server.ask("publish", { bytes });
  await Promise.all(
    streams.map((stream, index) => stream.until(({ arrivals }) => arrivals.length > seen[index])),
  );
  const last = streams.map(({ arrivals }) => arrivals.at(-1));
  return Math.max(...last.map(({ stamp, arrivedAt }) => arrivedAt - stamp)) / 1000;
}

/** One open stream, with the times at which each context was made and received. */
export class WireStream {
  /** `{ stamp, arrivedAt }` in microseconds of the monotonic clock. */
  arrivals = [];
  /** Methods of everything else that came. */
  others = [];
  #response;
  #rest = [];

  constructor(response) {
    this.#response = response;
    response.on("data", (chunk) => this.#take(chunk));
    response.on("error", () => {}); // closed by us, or by the end of the server
  }

  /** Resolves when `isThere` returns true; it is called after each event. */
  until(isThere) {
    return dataUntil(this.#response, () => isThere(this));
  }

  /** Stops reading, so that the server's writes queue up. */
  pause() {
    this.#response.pause();
  }

  resume() {
    this.#response.resume();
  }

  close() {
    this.#response.destroy();
  }

  #take(chunk) {
    this.#rest.push(chunk);
    // A frame ends with an empty line; most chunks end with one.
    if (chunk.at(-1) !== 10) return;
    const arrivedAt = now();
    const frames = Buffer.concat(this.#rest).toString("latin1").split("\n\n");
    const tail = frames.pop();
    this.#rest = tail === "" ? [] : [Buffer.from(tail, "latin1")];
    for (const frame of frames) this.#sort(frame, arrivedAt);
  }

  #sort(frame, arrivedAt) {
    const stamp = /"line":(\d+)/.exec(frame.slice(0, 2000))?.[1];
    if (stamp !== undefined) this.arrivals.push({ stamp: Number(stamp), arrivedAt });
    else this.others.push(/"method":"([^"]+)"/.exec(frame)?.[1] ?? "none");
  }
}

function expectStatus(status, expected, body) {
  if (status !== expected) throw new Error(`answered with ${status}: ${body.subarray(0, 300)}`);
}
