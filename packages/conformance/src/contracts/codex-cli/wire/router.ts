import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import { until } from "../../../until.ts";
import { isJson, type Json } from "../../../wire/json-rpc.ts";
import { Broken } from "../../check.ts";
import { IpcClient } from "./ipc.ts";

/** Milliseconds that a client has to say whether it can handle a request. */
const patience = 1000;

export type Router = Awaited<ReturnType<typeof startRouter>>;

/** Another program that owns the socket, as an editor's own extension does, and routes for its clients. */
export async function startRouter(path: string) {
  await mkdir(dirname(path), { recursive: true });
  await chmod(dirname(path), 0o700);
  const sockets = new Set<Socket>();
  const clients = new Set<IpcClient>();
  let hasBeenJoined = false;

  function accept(socket: Socket): void {
    sockets.add(socket);
    const peer = new IpcClient(socket, () => {});
    peer.onMessage = (message) => {
      if (message.type === "request") void answer(peer, message);
    };
    socket.once("close", () => {
      sockets.delete(socket);
      clients.delete(peer);
    });
  }

  async function answer(peer: IpcClient, request: Json): Promise<void> {
    const { requestId, method } = request;
    if (method === "initialize") {
      clients.add(peer);
      hasBeenJoined = true;
      const result = { clientId: randomUUID() };
      peer.send({ type: "response", requestId, method, resultType: "success", result });
      return;
    }
    for (const client of clients) {
      const canHandle = client !== peer && (await discover(client, request, patience).catch(() => false));
      if (canHandle !== true) continue;
      const response = await passOn(client, request).catch(() => undefined);
      if (response) return peer.send({ ...response, requestId });
    }
    peer.send({ type: "response", requestId, method, resultType: "error", error: "no-client-found" });
  }

  async function discover(client: IpcClient, request: object, within: number): Promise<unknown> {
    const requestId = randomUUID();
    client.send({ type: "client-discovery-request", requestId, request });
    const isIt = (one: Json) => one.type === "client-discovery-response" && one.requestId === requestId;
    const found = await until(() => client.heard.find(isIt), within);
    if (!found) throw new Broken(`a client-discovery-request was not answered within ${within} ms`);
    return isJson(found.response) ? found.response.canHandle : undefined;
  }

  /** Under another id: the client must not mix it up with its own questions. */
  function passOn(client: IpcClient, { requestId: _, ...request }: Json): Promise<Json> {
    return client.ask(request, patience);
  }

  const only = (): IpcClient => {
    const [client] = clients;
    if (!client) throw new Broken("the companion has not introduced itself to the owner of the socket");
    return client;
  };
  const server = createServer(accept).listen(path);
  await once(server, "listening");
  return {
    /** Whether a client has introduced itself. */
    hasBeenJoined: () => hasBeenJoined,
    /** What the only client says about a question. @throws Broken when it says nothing in time */
    canHandle: async (request: object, within: number) => discover(only(), request, within),
    /** Passes a request to the only client. @returns its response. @throws Broken when there is none in time */
    pass: async (request: object, within: number) => only().ask(request, within),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
