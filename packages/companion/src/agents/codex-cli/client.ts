import { randomUUID } from "node:crypto";
import { isObject, tryParseJson } from "../../system/json.ts";
import type { FramedChannel } from "../../transport/framed-socket.ts";
import { isAnswerable } from "./ide-context.ts";
import { failure, type IpcRequest, parseIpcMessage, toResponse } from "./messages.ts";
import type { Answerer } from "./router.ts";

/** How long a router may take to answer an introduction, or a sign of life, in milliseconds. */
const patience = 2000;

/** What became of an introduction: the router has taken it, refuses, leaves, or says nothing for too long. */
export type Joined = "joined" | "refused" | "left" | "silent";

/** A companion that speaks through the router of another program. */
export type RouterClient = ReturnType<typeof joinRouter>;

/**
 * Speaks through the router of another program: introduces this companion, and answers what concerns it. What others
 * say is neither answered nor reported.
 * @param limit for the answer to the introduction, in milliseconds
 */
export function joinRouter(channel: FramedChannel, answerer: Answerer, limit = patience) {
  const send = (message: object) => channel.send(JSON.stringify(message));
  const introduction = {
    type: "request",
    requestId: randomUUID(),
    sourceClientId: "initializing-client",
    version: 0,
    method: "initialize",
    params: { clientType: "ide-companion" },
  };
  let clientId = "";
  let onSign = () => {};
  const canAnswer = (request: IpcRequest) => isAnswerable(answerer.concern(request));

  const joined = new Promise<Joined>((resolve) => {
    const timer = setTimeout(resolve, limit, "silent").unref();
    channel.onClose(() => {
      clearTimeout(timer);
      resolve("left");
    });
    channel.onMessage(async (text) => {
      onSign();
      const message = parseIpcMessage(tryParseJson(text));
      if (message?.type === "client-discovery-request") {
        const { requestId, request } = message;
        const response = { canHandle: canAnswer(request) };
        send({ type: "client-discovery-response", requestId, response });
      } else if (message?.type === "request") {
        if (canAnswer(message)) send(toResponse(message, clientId, await answerer.answer(message)));
        else send(failure(message, "no-handler-for-request"));
      } else if (message?.type === "response" && message.requestId === introduction.requestId) {
        clientId = idOf(message.result);
        resolve(clientId === "" ? "refused" : "joined");
      }
    });
  });
  send(introduction);
  return {
    joined,
    isAnswered: () =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, patience, false).unref();
        onSign = () => {
          clearTimeout(timer);
          resolve(true);
        };
        // To itself: no other program is asked, and every answer will do.
        send({
          ...introduction,
          requestId: randomUUID(),
          sourceClientId: clientId,
          targetClientId: clientId,
          method: "ide-companion-alive",
          params: {},
        });
      }),
  };
}

const idOf = (result: unknown): string =>
  isObject(result) && "clientId" in result ? String(result.clientId) : "";
