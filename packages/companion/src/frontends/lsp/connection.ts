import { type Connection, createConnection, MessageType, ProposedFeatures } from "vscode-languageserver";
import {
  createProtocolConnection,
  type Logger,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { createFramingCheck, FramingError } from "./framing.ts";
import { createNotifier } from "./notifier.ts";

/** How long an editor may take to hear why we end, in milliseconds. */
const farewell = 1000;

export interface StdioConnection {
  readonly connection: Connection;
  /** Resolves with the exit code when the client has said good-bye or its end of the pipe is gone. */
  readonly ended: Promise<number>;
  end(exitCode: number): void;
}

/**
 * LSP over a pair of streams. The library's own variant for Node ends the whole process whenever it sees fit;
 * here the program that has started the frontend ends it.
 */
export function connect(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): StdioConnection {
  let end: (exitCode: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  // As LSP has it: 0 when `shutdown` came before the end.
  const watchDog = { shutdownReceived: false, initialize: () => {}, exit: end };
  const endNow = () => end(watchDog.shutdownReceived ? 0 : 1);
  input.once("end", endNow).once("close", endNow).once("error", endNow);
  output.once("error", endNow).once("close", endNow);
  const reader = new StreamMessageReader(input);
  // Behind a message that breaks off its timer would keep the process alive for ever.
  reader.partialMessageTimeout = 0;
  const writer = new StreamMessageWriter(output);
  const connection = createConnection(
    (logger) => createProtocolConnection(reader, writer, toDiscreet(logger)),
    watchDog,
    ProposedFeatures.all,
  );
  const notifier = createNotifier(connection);
  reader.onError((error) => {
    if (error instanceof SyntaxError) notifier.log("A message of the editor was no JSON, and was dropped.");
  });
  const check = createFramingCheck();
  // Not before the reader listens too, which is in this same turn.
  input.on("data", (bytes: Buffer) => {
    try {
      check(bytes);
    } catch (error) {
      if (!(error instanceof FramingError)) throw error;
      input.pause();
      const message = `The editor does not speak LSP with ide-companion: ${error.message}.`;
      const sent = connection.sendNotification("window/showMessage", { type: MessageType.Error, message });
      // It may not even read.
      setTimeout(() => end(1), farewell).unref();
      void sent.catch(() => {}).then(() => end(1));
    }
  });
  return { connection, ended, end };
}

/** Of the library's remarks only the first line, as what follows may quote a message; none when the editor has gone. */
function toDiscreet(logger: Logger): Logger {
  const say = (level: keyof Logger) => (remark: string) => {
    try {
      logger[level](remark.split("\n", 1)[0] ?? "");
    } catch {
      // The connection is closed: thrown on, it would end the process in the middle of its end.
    }
  };
  return { error: say("error"), warn: say("warn"), info: say("info"), log: say("log") };
}
