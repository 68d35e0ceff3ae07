import { randomUUID } from "node:crypto";
import { tryParseJson } from "../../system/json.ts";
import type { FramedChannel } from "../../transport/framed-socket.ts";
import { isAnswerable } from "./ide-context.ts";
import { failure, type IpcRequest, parseIpcMessage, success } from "./messages.ts";
import type { Answerer } from "./router.ts";

/** How long a router may take to answer an introduction, in milliseconds. */
const patience = 2000;

/**
 * Speaks through the router of another program: introduces this companion, and answers what concerns it. What others
 * say is neither answered nor reported.
 * @returns resolves once the router has taken it; false when it refuses, leaves or says nothing for too long
 */
export function joinRouter(channel: FramedChannel, answerer: Answerer): Promise<boolean> {
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
  const canAnswer = (request: IpcRequest) => isAnswerable(answerer.concern(request));

  const joined = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), patience).unref();
    channel.onClose(() => {
      clearTimeout(timer);
      resolve(false);
    });
    channel.onMessage((text) => {
      const message = parseIpcMessage(tryParseJson(text));
      if (message?.type === "client-discovery-request") {
        const { requestId, request } = message;
        const response = { canHandle: canAnswer(request) };
        send({ type: "client-discovery-response", requestId, response });
      } else if (message?.type === "request") {
        const answer = () => success(message, clientId, answerer.answer(message));
        send(canAnswer(message) ? answer() : failure(message, "no-handler-for-request"));
      } else if (message?.type === "response" && message.requestId === introduction.requestId) {
        clientId = idOf(message.result);
        resolve(clientId !== "");
      }
    });
  });
  send(introduction);
  return joined;
}

const idOf = (result: unknown): string =>
  typeof result === "object" && result !== null && "clientId" in result ? String(result.clientId) : "";
