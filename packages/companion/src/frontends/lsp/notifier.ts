import { CancellationTokenSource, type Connection, MessageType } from "vscode-languageserver";
import type { z } from "zod";
import { safeText } from "../../files/safe-text.ts";

/** What we say to the editor without wanting an answer. */
export interface Notifier {
  /** A message of ours, or of LSP. */
  notify(method: string, params: object): void;
  /** For the user, now, in one line: what a file or an agent is called cannot make it more. */
  show(severity: "error" | "warning" | "info", message: string): void;
  /** For who reads the log. */
  log(message: string): void;
}

const types = { error: MessageType.Error, warning: MessageType.Warning, info: MessageType.Info } as const;

/** By plain notifications: the library's own methods make requests of messages, which some editors refuse. */
export function createNotifier(connection: Pick<Connection, "sendNotification">): Notifier {
  const send = async (method: string, params: object) => connection.sendNotification(method, params);
  const notify = (method: string, params: object) => {
    send(method, params).catch(() => {
      // The editor is gone; the frontend ends.
    });
  };
  return {
    notify,
    show: (severity, message) =>
      notify("window/showMessage", { type: types[severity], message: safeText(message) }),
    log: (message) => notify("window/logMessage", { type: MessageType.Log, message: safeText(message) }),
  };
}

interface AskOptions<Answer> {
  /** Milliseconds after which the client is taken not to answer. */
  readonly limit: number;
  readonly answer: z.ZodType<Answer>;
  /** Aborted when nobody wants the answer any more. */
  readonly signal?: AbortSignal;
}

/** Asks the client something; some never answer, so nothing may wait for them for ever. */
export type Ask = <Answer>(method: string, params: object, options: AskOptions<Answer>) => Promise<Answer>;

/** @throws Error when the client refuses, answers something else, or not in time: then it is asked to forget it. */
export function createAsk(connection: Pick<Connection, "sendRequest">): Ask {
  return async (method, params, { limit, answer, signal }) => {
    const cancellation = new CancellationTokenSource();
    const asked = connection.sendRequest<unknown>(method, params, cancellation.token);
    const patience = createPatience(limit, signal);
    const tired = patience.ends.then((why) => {
      cancellation.cancel();
      throw new Error(`${method} ${why}`);
    });
    try {
      return answer.parse(await Promise.race([asked, tired]));
    } finally {
      patience.stop();
    }
  };
}

/**
 * Resolves `ends` with the reason when somebody has waited for too long, or need not wait any more. By a timer
 * of this call: Node 20 collects as garbage, and never fires, a timeout that only `AbortSignal.any` knows of.
 */
function createPatience(limit: number, signal: AbortSignal | undefined) {
  let stop = () => {};
  const ends = new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve(`was not answered within ${limit / 1000} s`), limit).unref();
    const forget = () => resolve("is no longer wanted");
    if (signal?.aborted) forget();
    signal?.addEventListener("abort", forget);
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", forget);
    };
  });
  return { ends, stop };
}
