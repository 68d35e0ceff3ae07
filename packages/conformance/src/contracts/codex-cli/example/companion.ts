import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { basename, dirname, relative } from "node:path";
import { type Example, ExampleEditor, selectionIn, textOf } from "../../../example/editor.ts";
import { isJson, type Json } from "../../../wire/json-rpc.ts";
import { socketsOf } from "../target/socket.ts";
import { FrameReader, toFrame } from "../wire/ipc.ts";

/**
 * A complete companion of Codex CLI for a simulated editor, in the current folder: small enough to read, and good
 * enough to pass every check. It is the router of each socket, or a client of the one that is there.
 */
export async function startCodexExample(): Promise<Example> {
  const editor = new ExampleEditor([process.cwd()], textOf);
  const { socket, formerSocket } = socketsOf(process.env);
  const answer = createAnswerer(editor);
  const seats = [await takeSeat(socket, answer), await takeSeat(formerSocket, answer)];
  return {
    editor,
    close() {
      for (const seat of seats) seat.close();
    },
  };
}

/** Answers for its own folders. @returns undefined for what is another one's to answer */
type Answerer = (request: Json) => object | undefined;

const failure = ({ requestId, method }: Json, error: string) => ({
  type: "response",
  requestId,
  method,
  resultType: "error",
  error,
});

const success = ({ requestId, method }: Json, result: object) => ({
  type: "response",
  requestId,
  method,
  resultType: "success",
  handledByClientId: "example",
  result,
});

function createAnswerer(editor: ExampleEditor): Answerer {
  const toTab = (path: string, folder: string) => ({
    label: basename(path),
    path: relative(folder, path),
    fsPath: path,
  });

  function contextFor(folder: string): object {
    const openTabs = [...editor.files.keys()].map((path) => toTab(path, folder));
    if (!editor.active) return { activeFile: null, openTabs };
    const { text, start, end } = selectionIn(editor.active);
    const selection = { start, end };
    const selections = text === "" ? [] : [selection];
    const selected = { selection, activeSelectionContent: text, selections };
    return { activeFile: { ...toTab(editor.active.path, folder), ...selected }, openTabs };
  }

  return (request) => {
    const { method, params, version } = request;
    const folder = isJson(params) ? params.workspaceRoot : undefined;
    if (method !== "ide-context" || typeof folder !== "string") return undefined;
    const roots = editor.folders.map((root) => realpathSync(root));
    if (!roots.some((root) => folder === root || folder.startsWith(`${root}/`))) return undefined;
    if (Number(version ?? 0) !== 0) return failure(request, "request-version-mismatch");
    return success(request, { ideContext: contextFor(folder) });
  };
}

/** One program on the other end. */
interface Peer {
  /** Given when it has introduced itself. */
  id: string | undefined;
  send(message: object): void;
}

interface Seat {
  close(): void;
}

/** Becomes the client of the router that is there, or the router; and when that is gone, once more. */
async function takeSeat(path: string, answer: Answerer): Promise<Seat> {
  let close = () => {};
  let isOver = false;

  async function sit(): Promise<void> {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    chmodSync(dirname(path), 0o700);
    const router = await reach(path);
    if (router) {
      close = () => router.destroy();
      router.once("close", () => !isOver && void sit());
      return beClient(router, answer);
    }
    // What a dead program has left.
    rmSync(path, { force: true });
    const routing = beRouter(answer);
    routing.server.listen(path);
    await once(routing.server, "listening");
    chmodSync(path, 0o600);
    close = routing.close;
  }

  await sit();
  return {
    close() {
      isOver = true;
      close();
    },
  };
}

function reach(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => resolve(socket));
    socket.once("error", () => resolve(undefined));
  });
}

function beClient(router: Socket, answer: Answerer): void {
  const send = listen(router, (message) => {
    const { type, requestId, request } = message;
    if (type === "client-discovery-request" && isJson(request)) {
      const response = { canHandle: answer(request) !== undefined };
      send({ type: "client-discovery-response", requestId, response });
    }
    if (type === "request") send(answer(message) ?? failure(message, "no-handler-for-request"));
  });
  const params = { clientType: "example" };
  const source = { sourceClientId: "initializing-client", version: 0 };
  send({ type: "request", requestId: randomUUID(), ...source, method: "initialize", params });
}

/** Who waits for what. */
interface Question {
  readonly from: Peer;
  readonly request: Json;
  /** How many have not said yet whether they can answer. */
  open: number;
}

function beRouter(answer: Answerer): { readonly server: Server; close(): void } {
  const peers = new Set<Peer>();
  const sockets = new Set<Socket>();
  /** By their ids. */
  const asked = new Map<unknown, Question>();

  function take(from: Peer, message: Json): void {
    const { type, requestId } = message;
    if (type === "broadcast") {
      for (const peer of peers)
        if (peer !== from && peer.id) peer.send({ ...message, sourceClientId: from.id });
    }
    if (type === "request") ask(from, message);
    const question = asked.get(requestId);
    if (!question) return;
    if (type === "response") question.from.send(message);
    if (type === "client-discovery-response") discovered(from, message, question);
  }

  function ask(from: Peer, request: Json): void {
    if (request.method === "initialize") {
      from.id = randomUUID();
      from.send(success(request, { clientId: from.id }));
      return;
    }
    const own = answer(request);
    const others = [...peers].filter((peer) => peer !== from && peer.id);
    if (own) from.send(own);
    else if (others.length === 0) from.send(failure(request, "no-client-found"));
    if (own || others.length === 0) return;
    asked.set(request.requestId, { from, request, open: others.length });
    for (const peer of others) {
      peer.send({ type: "client-discovery-request", requestId: request.requestId, request });
    }
  }

  function discovered(peer: Peer, { response }: Json, question: Question): void {
    const canHandle = isJson(response) && response.canHandle === true;
    question.open -= canHandle ? Number.POSITIVE_INFINITY : 1;
    if (canHandle) peer.send(question.request);
    else if (question.open === 0) question.from.send(failure(question.request, "no-client-found"));
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    const peer: Peer = { id: undefined, send: () => {} };
    peer.send = listen(socket, (message) => take(peer, message));
    peers.add(peer);
    socket.once("close", () => {
      peers.delete(peer);
      sockets.delete(socket);
    });
  });
  return {
    server,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** @returns sends a message */
function listen(socket: Socket, onMessage: (message: Json) => void): (message: object) => void {
  const reader = new FrameReader();
  socket.on("error", () => {}); // reset by the other side
  socket.on("data", (piece: Buffer) => {
    try {
      for (const message of reader.push(piece)) onMessage(message);
    } catch {
      socket.destroy(); // no message
    }
  });
  return (message) => void socket.write(toFrame(message));
}
