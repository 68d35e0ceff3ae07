import { type Connection, createConnection, ProposedFeatures } from "vscode-languageserver";
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";

export interface StdioConnection {
  readonly connection: Connection;
  /** Resolves with the exit code when the client has said good-bye or its end of the pipe is gone. */
  readonly ended: Promise<number>;
  end(exitCode: number): void;
}

/**
 * LSP over a pair of streams. The library's own variant for Node ends the whole process whenever it sees fit;
 * here whoever has started the door ends it.
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
  const writer = new StreamMessageWriter(output);
  const connection = createConnection(
    (logger) => createProtocolConnection(reader, writer, logger),
    watchDog,
    ProposedFeatures.all,
  );
  return { connection, ended, end };
}
