import type { IncomingMessage, ServerResponse } from "node:http";
import type { CompanionEvent } from "../../core/events.ts";
import { EventStream } from "../../transport/event-stream.ts";
import { httpError } from "../../transport/reply.ts";
import type { WatchNews, WatchReport } from "./contract/health.ts";

/** At once. */
const maxWatchers = 64;

/** A watcher behind a forwarded port learns by silence that the way is broken; in milliseconds. */
const keepAlive = 15_000;

export interface WatchOptions {
  /** The whole present state. */
  readonly report: () => Omit<WatchReport, "kind">;
  readonly subscribe: (listener: (event: CompanionEvent) => void) => () => void;
}

/** `GET /watch`: everything that a person would want to see of a companion, as it changes. */
export class WatchEndpoint {
  readonly #options: WatchOptions;
  readonly #watchers = new Set<EventStream>();
  readonly #stop: () => void;
  #isDue = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    const unsubscribe = options.subscribe((event) => this.#take(event));
    const timer = setInterval(() => {
      for (const watcher of this.#watchers) watcher.keepAlive();
    }, keepAlive).unref();
    this.#stop = () => {
      unsubscribe();
      clearInterval(timer);
    };
  }

  /** @throws HttpError for every method but GET */
  serve(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== "GET") {
      const headers = { allow: "GET" };
      throw httpError(405, `/watch answers to GET only, not to ${request.method}`, { headers });
    }
    if (this.#watchers.size >= maxWatchers) {
      throw httpError(503, `${maxWatchers} watchers are here already: close one first`);
    }
    const watcher = new EventStream(response, {});
    this.#watchers.add(watcher);
    watcher.onClose(() => this.#watchers.delete(watcher));
    watcher.write(this.#reportFrame());
  }

  close(): void {
    this.#stop();
    for (const watcher of this.#watchers) watcher.end();
  }

  #take(event: CompanionEvent): void {
    if (this.#watchers.size === 0) return;
    if (event.kind === "diff-settled") {
      const { proposal, settlement } = event;
      const { filePath, agent } = proposal;
      const outcome = settlement.kind;
      const frame = toFrame({ kind: "decision", filePath, agent, outcome, at: Date.now() });
      for (const watcher of this.#watchers) watcher.write(frame);
    }
    // Several things often happen at once, as when a CLI ends: one report tells them all.
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      const frame = this.#reportFrame();
      // Of reports only the newest matters to one who reads slowly.
      for (const watcher of this.#watchers) watcher.writeContext(frame);
    });
  }

  #reportFrame(): Buffer {
    return toFrame({ kind: "report", ...this.#options.report() });
  }
}

const toFrame = (news: WatchNews) => Buffer.from(`data: ${JSON.stringify(news)}\n\n`);
