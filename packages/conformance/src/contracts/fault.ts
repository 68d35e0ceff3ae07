import type { IncomingHttpHeaders } from "node:http";
import { isJson, type Json } from "../wire/json-rpc.ts";

/** One connection of a CLI, as the proxy in front of a good companion sees it. */
export interface Link {
  /** Sends a message to the CLI. */
  tell(message: object): void;
  /** Sends a message to the companion. */
  ask(message: Json): void;
  /** Of every CLI that is connected, oldest first; this one among them. */
  readonly all: readonly Link[];
  /** Disconnects every CLI. */
  cutAll(): void;
  /** What a fault remembers of this connection. */
  readonly memory: Map<string, unknown>;
}

/** What an upgrade, or a request, came with. */
export interface Head {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The host that CLIs ask for. */
  readonly own: string;
  /** What the companion wants to see. */
  readonly token: string;
  /** How many connections there have been. */
  readonly before: number;
}

/** What a companion does wrong: what a proxy in front of a good one does to its messages and files. */
export interface Fault {
  /** What the check says of it. */
  readonly says: RegExp;
  /** Changes a file by which CLIs find the companion. @param first what it has written at its start */
  lock?(content: Json, first: Json, name: string): Json;
  readonly lockMode?: number;
  /** Names of more lock files. */
  readonly extraLock?: readonly string[];
  /** Whether another lock file takes the place of the first when it changes. */
  readonly replacesLock?: true;
  /** Whether the lock file outlasts the companion. */
  readonly keepsLock?: true;
  /** Does something before the companion starts. @param folder of the lock files */
  start?(folder: string): void;
  /** Changes what terminals of the editor have. */
  environment?(variables: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** Changes the headers of an upgrade, or of a request. */
  head?(head: Head): IncomingHttpHeaders;
  /** Whether the subprotocol is left out of the answer. */
  readonly plain?: true;
  /** Whether the companion does not hear that a CLI has gone. */
  readonly keepsOpen?: true;
  /** Changes a message of a CLI. @param message undefined for what is none @returns undefined to drop it */
  up?(message: Json | undefined, link: Link): Json | undefined;
  /** Changes a message of the companion. @param asked the request that it answers @returns undefined to drop it */
  down?(message: Json, link: Link, asked: Json): Json | undefined | Promise<Json | undefined>;
}

/** One request, as the proxy has it. */
export interface Exchange extends Head {
  /** The message in its body; empty without one. */
  readonly asked: Json;
}

/** The requests of one CLI, in one session. */
export interface HttpLink extends Link {
  /** How many streams it has opened. */
  readonly opened: number;
  /** Sends a message on every stream that is open. */
  tellAll(message: object): void;
}

/** What a companion does wrong that is asked by HTTP. */
export interface HttpFault extends Fault {
  down?(message: Json, link: HttpLink, asked: Json): Json | undefined | Promise<Json | undefined>;
  /** Another status for an answer. */
  status?(status: number, exchange: Exchange, link: HttpLink): number;
  replyHeaders?(headers: IncomingHttpHeaders): IncomingHttpHeaders;
  /** Changes the body of an answer that is no message. */
  body?(text: string, exchange: Exchange): string;
  /** Changes the id of an event. */
  eventId?(id: string): string;
  /** Whether a piece of a body is read. */
  takes?(piece: Buffer): boolean;
  /** Whether a request waits for the one before. */
  readonly queues?: true;
  /** What a request is answered with that the companion leaves unanswered when it ends. */
  unanswered?(asked: Json): Json | undefined;
}

/** The method of a request, or the name of the tool that it calls. */
export const nameOf = ({ method, params }: Json): unknown =>
  method === "tools/call" ? (params as Json).name : method;

/** The arguments of a call. */
export const inputOf = ({ params }: Json): Readonly<Record<string, string>> =>
  ((params as Json | undefined)?.arguments ?? {}) as Readonly<Record<string, string>>;

/** An answer of a tool with these texts. */
export const answering = ({ id }: Json, ...texts: readonly string[]): Json => ({
  jsonrpc: "2.0",
  id,
  result: { content: texts.map((text) => ({ type: "text", text })) },
});

/** The texts of a tool's answer. */
export const saidIn = ({ result }: Json): readonly string[] =>
  ((result as Json | undefined)?.content as readonly { text: string }[] | undefined)?.map(
    ({ text }) => text,
  ) ?? [];

/** An answer with other fields in its result. */
export const withResult = (message: Json, change: Json): Json => ({
  ...message,
  result: { ...(message.result as Json), ...change },
});

/** Another result of an answer to this method, or of this tool. */
export const resulting =
  (name: string, change: (result: Json, asked: Json) => Json): NonNullable<Fault["down"]> =>
  (message, _, asked) =>
    nameOf(asked) === name && isJson(message.result)
      ? withResult(message, change(message.result, asked))
      : message;

/** Another text, or none, as the answer of a tool. */
export const saying =
  (
    tool: string,
    textsOf: (asked: Json, link: Link, message: Json) => readonly string[],
  ): NonNullable<Fault["down"]> =>
  (message, link, asked) =>
    nameOf(asked) === tool ? answering(asked, ...textsOf(asked, link, message)) : message;

/** Another schema of a tool. */
export const withSchema = (tool: string, inputSchema: object): NonNullable<Fault["down"]> =>
  resulting("tools/list", ({ tools }) => ({
    tools: (tools as readonly Json[]).map((each) => (each.name === tool ? { ...each, inputSchema } : each)),
  }));

/** Other parameters of a notification. @param change undefined drops it */
export const changing =
  (method: string, change: (params: Json) => Json | undefined): NonNullable<Fault["down"]> =>
  (message) => {
    if (message.method !== method) return message;
    const params = change(message.params as Json);
    return params && { ...message, params };
  };

/** Refuses calls with such arguments. */
export const refusing =
  (isSo: (input: Readonly<Record<string, string>>) => boolean, why: string): NonNullable<Fault["up"]> =>
  (message, { tell }) => {
    if (message?.method !== "tools/call" || !isSo(inputOf(message))) return message;
    tell(withResult(answering(message, why), { isError: true }));
    return undefined;
  };

/** Answers a tool, and does nothing. */
export const pretending =
  (tool: string, ...texts: readonly string[]): NonNullable<Fault["up"]> =>
  (message, { tell }) => {
    if (!message || nameOf(message) !== tool) return message;
    tell(answering(message, ...texts));
    return undefined;
  };

/** News that reach no CLI but the one that has connected last. */
export const toLastAlone =
  (method: string): NonNullable<Fault["down"]> =>
  (message, { all, memory }) =>
    message.method === method && all.at(-1)?.memory !== memory ? undefined : message;

/** News that are meant for one CLI, and reach every one. */
export const toEveryOne =
  (method: string): NonNullable<Fault["down"]> =>
  (message, { all }) => {
    if (message.method !== method) return message;
    for (const link of all) link.tell(message);
    return undefined;
  };
