import {
  CancellationTokenSource,
  type Connection,
  ErrorCodes,
  MessageType,
  ResponseError,
} from "vscode-languageserver";
import { z } from "zod";
import { safeText } from "../../files/safe-text.ts";
import { messageOf } from "../../system/error-message.ts";

const types = { error: MessageType.Error, warning: MessageType.Warning, info: MessageType.Info } as const;

/**
 * What we say to the editor without wanting an answer. By plain notifications: the library's own methods make requests of
 * messages, which some editors refuse.
 */
export class Notifier {
  readonly #connection: Pick<Connection, "sendNotification">;

  constructor(connection: Pick<Connection, "sendNotification">) {
    this.#connection = connection;
  }

  /** A message of ours, or of LSP. */
  notify(method: string, params: object): void {
    const send = async () => this.#connection.sendNotification(method, params);
    send().catch(() => {
      // The editor is gone; the frontend ends.
    });
  }

  /** For the user, now, in one line: what a file or an agent is called cannot make it more. */
  show(severity: keyof typeof types, message: string): void {
    this.notify("window/showMessage", { type: types[severity], message: safeText(message) });
  }

  /** For who reads the log. */
  log(message: string): void {
    this.notify("window/logMessage", { type: MessageType.Log, message: safeText(message) });
  }
}

/** A request of LSP, with what is answered. */
export const showDocument = {
  method: "window/showDocument",
  answer: z.object({ success: z.boolean() }),
};

interface AskOptions<Answer> {
  /** Milliseconds after which the client is taken not to answer; time in which this process stands still counts little. */
  readonly limit: number;
  /** Aborted when nobody wants the answer any more. */
  readonly signal?: AbortSignal;
  /** Is handed what the client may still answer when it is late, which is not asked to forget the request then. */
  readonly onLate?: (asked: Promise<Answer>) => void;
}

/** Asks the client something; some never answer, so nothing may wait for them for ever. */
export type Ask = <Answer>(
  message: { readonly method: string; readonly answer: z.ZodType<Answer> },
  params: object,
  options: AskOptions<Answer>,
) => Promise<Answer>;

/**
 * @throws Error when the client refuses, answers something else, or not in time: then it is asked to forget it, unless
 *   a late answer matters.
 */
export function createAsk(connection: Pick<Connection, "sendRequest">): Ask {
  return async ({ method, answer }, params, { limit, signal, onLate }) => {
    const cancellation = new CancellationTokenSource();
    const asked = connection
      .sendRequest<unknown>(method, params, cancellation.token)
      .then((result) => answer.parse(result));
    const patience = createPatience(limit, signal);
    const tired = patience.ends.then((why) => {
      if (onLate) onLate(asked);
      else cancellation.cancel();
      throw new Error(`${method} ${why}`);
    });
    try {
      return await Promise.race([asked, tired]);
    } finally {
      patience.stop();
    }
  };
}

/** A limit is waited for in as many steps. */
const steps = 4;

/**
 * Resolves `ends` with the reason when somebody has waited for too long, or need not wait any more. By a timer
 * of this call: Node 20 collects as garbage, and never fires, a timeout that only `AbortSignal.any` knows of.
 * A process that was stopped or starved finds its timers due before it has read what came meanwhile. A standstill is
 * one step, and between two of them there is time to read.
 */
function createPatience(limit: number, signal: AbortSignal | undefined) {
  let stop = () => {};
  const ends = new Promise<string>((resolve) => {
    let left = steps;
    const timer = setInterval(() => {
      left -= 1;
      if (left === 0) resolve(`was not answered within ${limit / 1000} s`);
    }, limit / steps).unref();
    const forget = () => resolve("is no longer wanted");
    if (signal?.aborted) forget();
    signal?.addEventListener("abort", forget);
    stop = () => {
      clearInterval(timer);
      signal?.removeEventListener("abort", forget);
    };
  });
  return { ends, stop };
}

/** Serves a message of a plugin. @param answer what fails in it is a sentence for the user */
export function serve<Params, Answer>(
  connection: Pick<Connection, "onRequest">,
  message: { method: string; params: z.ZodType<Params>; answer: z.ZodType<Answer> },
  answer: (params: Params) => Answer | Promise<Answer>,
): void {
  connection.onRequest<unknown, unknown>(message.method, async (params) => {
    try {
      return await answer(message.params.parse(params));
    } catch (error) {
      throw new ResponseError(ErrorCodes.InvalidParams, messageOf(error));
    }
  });
}

/** What is wrong with a message, for the log. */
export function describeIssues({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join(".") || "it"}: ${message}`).join("; ");
}
