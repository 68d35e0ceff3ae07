import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { AgentName } from "../../../agents.ts";
import type { ShownDiff } from "../../../example/editor.ts";

/** How the example handles its streams. */
export const sessionRules = {
  newId: randomUUID as () => string | undefined,
  /** Milliseconds between two comments. */
  keepAlive: 15_000,
  /** Milliseconds after which a stream is ended. */
  streamLife: Number.POSITIVE_INFINITY,
  /** Milliseconds that a session outlives its last stream. */
  afterlife: 3000,
  /** Which of a session's open streams get a message. */
  streamsFor: (open: readonly ServerResponse[]) => open.slice(-1),
  /** The id of an event: how many outcomes came before and with it, and a number that no other event has. */
  eventId: (outcomes: number, event: number): string | undefined => `${outcomes}-${event}`,
  /** Whether an outcome is stored until a stream has delivered it. */
  storesOutcomes: true,
  /** Whether a client that names its last event gets what came after it. */
  resumes: true,
  /** Whether the diffs of a session that is over are closed. */
  closesDiffsOfTheDead: true,
};

export type SessionRules = typeof sessionRules;

interface Message {
  readonly method: string;
  readonly params: object;
}

/** Converts a message for a stream. */
type Convert = (message: Message) => object;

interface Outcome {
  readonly number: number;
  readonly message: Message;
  sent: boolean;
}

/** One connected CLI: its streams, and the outcomes that it has not received yet. */
export class ExampleSession {
  readonly id: string | undefined;
  readonly agent: AgentName;
  readonly clientName: string;
  /** By the path that the CLI has sent. */
  readonly diffs = new Map<string, ShownDiff>();
  readonly #rules: SessionRules;
  readonly #onGone: () => void;
  readonly #converters = new WeakMap<ServerResponse, Convert>();
  #streams: ServerResponse[] = [];
  #outcomes: Outcome[] = [];
  #count = 0;
  /** The last outcome that the newest stream has sent, or need not send. */
  #position = 0;
  #events = 0;

  constructor(agent: AgentName, clientName: string, rules: SessionRules, onGone: () => void) {
    this.id = rules.newId();
    this.agent = agent;
    this.clientName = clientName;
    this.#rules = rules;
    this.#onGone = onGone;
  }

  /** @param lastEventId the last event that a client received before it opened its stream again */
  addStream(
    response: ServerResponse,
    lastEventId: string | undefined,
    context: object | undefined,
    convert: Convert = (message) => message,
  ): void {
    const { keepAlive, streamLife, afterlife, resumes } = this.#rules;
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      ...(this.id === undefined ? {} : { "mcp-session-id": this.id }),
    });
    response.flushHeaders();
    this.#streams.push(response);
    this.#converters.set(response, convert);
    const last = lastEventId !== undefined && resumes ? Number.parseInt(lastEventId, 10) : undefined;
    // A client that does not name its last event gets what was never sent.
    const due = this.#outcomes.filter(({ sent, number }) => (last === undefined ? !sent : number > last));
    this.#position = last ?? (due[0]?.number ?? this.#count + 1) - 1;
    if (context) this.write("ide/contextUpdate", context);
    for (const outcome of due) this.#sendOutcome(outcome);
    const beat = setInterval(() => response.write(": still here\n\n"), keepAlive);
    const life = Number.isFinite(streamLife) ? setTimeout(() => response.end(), streamLife) : undefined;
    response.once("close", () => {
      clearInterval(beat);
      clearTimeout(life);
      this.#streams = this.#streams.filter((open) => open !== response);
      setTimeout(() => this.#streams.length === 0 && this.#onGone(), afterlife).unref();
    });
  }

  write(method: string, params: object): void {
    this.#send({ method, params });
  }

  /** Sends the outcome of a diff, now or on the next stream. */
  notify(method: string, params: object): void {
    this.#count += 1;
    const outcome = { number: this.#count, message: { method, params }, sent: false };
    if (this.#rules.storesOutcomes) this.#outcomes = [...this.#outcomes, outcome].slice(-64);
    this.#sendOutcome(outcome);
  }

  /** Ends the streams of a session that is over. */
  end(): void {
    for (const stream of this.#streams) stream.end();
  }

  #sendOutcome(outcome: Outcome): void {
    this.#position = outcome.number;
    outcome.sent = this.#send(outcome.message);
  }

  #send(message: Message): boolean {
    this.#events += 1;
    const id = this.#rules.eventId(this.#position, this.#events);
    const streams = this.#rules.streamsFor(this.#streams);
    for (const stream of streams) {
      const data = JSON.stringify({ jsonrpc: "2.0", ...this.#converters.get(stream)?.(message) });
      stream.write(`${id === undefined ? "" : `id: ${id}\n`}data: ${data}\n\n`);
    }
    return streams.length > 0;
  }
}
