import type { IncomingHttpHeaders } from "node:http";
import { isJson, type Json, parseJson } from "../../wire/json-rpc.ts";
import { answering, type Fault, type Link, nameOf, saidIn } from "../fault.ts";

/** One request, as the proxy has it. */
export interface Exchange {
  readonly method: string;
  /** The message in its body; empty without one. */
  readonly asked: Json;
}

/** What a companion of this contract does wrong. */
export interface CopilotFault extends Fault {
  /** Another status for an answer. */
  status?(status: number, exchange: Exchange, link: Link): number;
  replyHeaders?(headers: IncomingHttpHeaders): IncomingHttpHeaders;
  /** Whether a piece of a body is read. */
  takes?(piece: Buffer): boolean;
  /** What a request is answered with that the companion leaves unanswered when it ends. */
  unanswered?(asked: Json): Json | undefined;
  readonly socketFolderMode?: number;
  /** Milliseconds from the lock file until it listens. */
  readonly listensAfter?: number;
  /** Whether the lock file is removed after the connections have ended. */
  readonly lockLast?: true;
}

type Down = NonNullable<Fault["down"]>;

/** Another value in the text with which a tool is answered. */
export const reporting =
  (tool: string, change: (value: Json, asked: Json) => unknown): Down =>
  (message, _, asked) => {
    const value = parseJson(saidIn(message)[0] ?? "");
    if (nameOf(asked) !== tool || message.error) return message;
    return answering(asked, JSON.stringify(change(isJson(value) ? value : {}, asked)));
  };

/** Another decision, where it was this one. */
export const deciding = (result: string, other: string): Down =>
  reporting("open_diff", (value) => (value.result === result ? { ...value, result: other } : value));
