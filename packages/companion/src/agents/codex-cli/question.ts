import { randomUUID } from "node:crypto";
import { messageOf } from "../../system/error-message.ts";
import { isObject, tryParseJson } from "../../system/json.ts";
import { toFramedChannel } from "../../transport/framed-socket.ts";
import { connectToLocalSocket } from "../../transport/local-socket.ts";
import { maxMessageBytes, maxUnreadBytes } from "../../transport/message-limit.ts";

/** How long the CLI waits for a connection and its answer together, in milliseconds. */
const patience = 5000;

/** What became of a question. */
export type Answer =
  | { readonly kind: "context"; readonly milliseconds: number; readonly ideContext: unknown }
  /** The router's word for it. */
  | { readonly kind: "refused"; readonly error: string }
  | { readonly kind: "silent" }
  /** Nobody listens, or it cannot be connected to. */
  | { readonly kind: "unreachable"; readonly reason: string };

/** Asks as the CLI does, for a folder. @param sourceClientId who asks */
export async function askForContext(
  address: string,
  workspaceRoot: string,
  sourceClientId: string,
): Promise<Answer> {
  const startedAt = performance.now();
  const connected = await connectToLocalSocket(address).catch(messageOf);
  if (typeof connected === "string") return { kind: "unreachable", reason: connected };
  const channel = toFramedChannel(connected, {
    maxMessage: () => maxMessageBytes,
    maxUnread: maxUnreadBytes,
  });
  const requestId = randomUUID();
  return new Promise<Answer>((resolve) => {
    const finish = (answer: Answer) => {
      clearTimeout(timer);
      channel.close();
      resolve(answer);
    };
    const timer = setTimeout(() => finish({ kind: "silent" }), patience);
    channel.onClose(() => finish({ kind: "silent" }));
    channel.onMessage((text) => {
      const message = tryParseJson(text);
      if (!isObject(message) || message.type !== "response" || message.requestId !== requestId) return;
      if (message.resultType === "success") {
        const ideContext = isObject(message.result) ? message.result.ideContext : undefined;
        return finish({ kind: "context", milliseconds: performance.now() - startedAt, ideContext });
      }
      finish({ kind: "refused", error: String(message.error) });
    });
    channel.send(
      JSON.stringify({
        type: "request",
        requestId,
        sourceClientId,
        version: 0,
        method: "ide-context",
        params: { workspaceRoot },
      }),
    );
  });
}
