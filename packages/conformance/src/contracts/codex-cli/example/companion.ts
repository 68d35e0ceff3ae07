import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { basename, dirname, join, relative } from "node:path";
import { type Example, ExampleEditor, selectionIn, textOf } from "../../../example/editor.ts";
import { isJson, type Json } from "../../../wire/json-rpc.ts";
import { socketsOf } from "../target/socket.ts";
import { FrameReader, toFrame } from "../wire/ipc.ts";
import { type CodexRules, goodRules } from "./rules.ts";

export interface CodexExampleOptions {
  readonly socket: string;
  readonly formerSocket: string;
  readonly folders: readonly string[];
  /** How it differs from a good one. */
  readonly rules?: Partial<CodexRules>;
}

/**
 * A complete companion of Codex CLI for a simulated editor: the router of the socket, or a client of the one that is
 * there. A changed rule makes it a broken one.
 */
export async function startCodexExample(options: CodexExampleOptions): Promise<Example> {
  const rules = { ...goodRules, ...options.rules };
  const editor = new ExampleEditor(options.folders, textOf);
  const answerer = createAnswerer(editor, rules);
  const seats = [await takeSeat(join(dirname(options.socket), rules.socketName), answerer, rules)];
  if (rules.servesFormer) seats.push(await takeSeat(options.formerSocket, answerer, rules));
  return {
    editor,
    close() {
      for (const seat of seats) seat.close();
    },
  };
}

/** One for the current folder, found where this user's CLIs look. */
export async function startCodexExampleHere(rules: Partial<CodexRules> = {}): Promise<Example> {
  const example = await startCodexExample({ ...socketsOf(process.env), folders: [process.cwd()], rules });
  // The file of a socket stays when nobody closes that.
  return rules.removes === false ? { ...example, close: () => process.exit() } : example;
}

/** Answers for its own folders. */
interface Answerer {
  /** @returns undefined for what is another one's to answer */
  answer(request: Json): object | undefined;
}

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

function createAnswerer(editor: ExampleEditor, rules: CodexRules): Answerer {
  const toTab = (path: string, folder: string) => ({
    label: basename(path),
    path: relative(folder, path),
    fsPath: path,
  });

  function contextFor(folder: string): object {
    const { active } = editor;
    const tabs = [...editor.files.keys()].map((path) => toTab(path, folder));
    if (!active) return rules.context(null, tabs);
    const shown = { ...toTab(active.path, folder), ...selectionIn(active) };
    return rules.context(rules.activeFile(shown), tabs);
  }

  return {
    answer(request) {
      const { method, params, version } = request;
      if (rules.answersForeign && method !== "ide-context") return success(request, {});
      const folder = isJson(params) ? params.workspaceRoot : undefined;
      if (method !== "ide-context" || typeof folder !== "string") return undefined;
      if (!editor.folders.some((root) => rules.concerns(folder, realpathSync(root)))) return undefined;
      if (!rules.speaks(Number(version ?? 0))) return failure(request, "request-version-mismatch");
      return success(request, { ideContext: contextFor(folder) });
    },
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

/** Becomes the client of the router that is there, or the router. */
async function takeSeat(path: string, answerer: Answerer, rules: CodexRules): Promise<Seat> {
  let close = () => {};
  let isOver = false;

  async function sit(): Promise<void> {
    mkdirSync(dirname(path), { recursive: true, mode: rules.folderMode });
    chmodSync(dirname(path), rules.folderMode);
    const router = rules.steals ? undefined : await reach(path);
    if (router) {
      close = () => router.destroy();
      router.once("close", () => !isOver && rules.takesOver && void sit());
      if (rules.joins) beClient(router, answerer, rules);
      return;
    }
    if (rules.sweepsStale || rules.steals) rmSync(path, { force: true });
    if (existsSync(path)) return;
    const routing = beRouter(answerer, rules);
    routing.server.listen(path);
    await once(routing.server, "listening");
    chmodSync(path, rules.socketMode);
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

function beClient(router: Socket, answerer: Answerer, rules: CodexRules): void {
  const send = listen(router, rules, (message) => {
    const { type, requestId, request } = message;
    if (type === "client-discovery-request" && isJson(request)) {
      const response = { canHandle: answerer.answer(request) !== undefined };
      send({ type: "client-discovery-response", requestId, response });
    }
    if (type === "request") send(answerer.answer(message) ?? failure(message, "no-handler-for-request"));
  });
  const requestId = randomUUID();
  const params = { clientType: "example" };
  send({
    type: "request",
    requestId,
    sourceClientId: "initializing-client",
    version: 0,
    method: "initialize",
    params,
  });
}

function beRouter(answerer: Answerer, rules: CodexRules): { readonly server: Server; close(): void } {
  const peers = new Set<Peer>();
  const sockets = new Set<Socket>();
  /** Who waits for what, by the id of the question. */
  const asked = new Map<unknown, { readonly from: Peer; readonly request: Json; open: number }>();

  function take(from: Peer, message: Json): void {
    const { type, requestId } = message;
    if (type === "broadcast" && rules.passesBroadcasts) {
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
      if (!rules.answersInitialize) return;
      from.id = randomUUID();
      from.send(success(request, { clientId: from.id }));
      return;
    }
    const own = answerer.answer(request);
    const others = rules.routes ? [...peers].filter((peer) => peer !== from && peer.id) : [];
    if (own) setTimeout(() => from.send(own), rules.delay);
    else if (others.length === 0) from.send(failure(request, "no-client-found"));
    if (own || others.length === 0) return;
    asked.set(request.requestId, { from, request, open: others.length });
    for (const peer of others) {
      peer.send({ type: "client-discovery-request", requestId: request.requestId, request });
    }
  }

  function discovered(
    peer: Peer,
    { response }: Json,
    question: { readonly from: Peer; readonly request: Json; open: number },
  ): void {
    const canHandle = isJson(response) && response.canHandle === true;
    question.open -= canHandle ? Number.POSITIVE_INFINITY : 1;
    if (canHandle) peer.send(question.request);
    else if (question.open === 0) question.from.send(failure(question.request, "no-client-found"));
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    const peer: Peer = { id: undefined, send: () => {} };
    peer.send = listen(
      socket,
      rules,
      (message) => take(peer, message),
      () => {
        if (rules.diesOfGarbage) for (const each of sockets) each.destroy();
        if (rules.diesOfGarbage) server.close();
      },
    );
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
function listen(
  socket: Socket,
  rules: CodexRules,
  onMessage: (message: Json) => void,
  onGarbage: () => void = () => {},
): (message: object) => void {
  let reader = new FrameReader();
  socket.on("error", () => {}); // reset by the other side
  socket.on("data", (piece: Buffer) => {
    try {
      for (const message of reader.push(piece)) onMessage(message);
    } catch {
      onGarbage();
      socket.destroy();
    }
    if (!rules.readsPieces) reader = new FrameReader();
  });
  return (message) => void socket.write(toFrame(message));
}
