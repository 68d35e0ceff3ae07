import {
  createConnection,
  ErrorCodes,
  MessageType,
  ProposedFeatures,
  ResponseError,
} from "vscode-languageserver";
import {
  createProtocolConnection,
  type Logger,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { createDeferred } from "../../system/deferred.ts";
import { pidIsAlive } from "../../system/liveness.ts";
import { toClient } from "./client.ts";
import { Notifier } from "./notifier.ts";
import { type LspFrontendOptions, ServedEditor } from "./served-editor.ts";

/** The companion of one editor, which speaks LSP with it. */
export type LspFrontend = ReturnType<typeof startLspFrontend>;

/** Waits for an editor's `initialize`; its companion starts with `initialized`. */
export function startLspFrontend(options: LspFrontendOptions) {
  const { connection, ended, end } = connect(options.input, options.output);
  let served: ServedEditor | undefined;
  let stopLooking = () => {};
  connection.onInitialize((params) => {
    if (served) return new ResponseError(ErrorCodes.InvalidRequest, "initialize has been sent already");
    const client = toClient(params);
    served = new ServedEditor({ ...options, connection, params, client });
    // Not before: the library then takes it for itself, from editors that announce several folders.
    connection.onNotification("workspace/didChangeWorkspaceFolders", ({ event }) =>
      served?.roots.change(event),
    );
    if (client.pid !== undefined) stopLooking = onGone(client.pid, () => end(1), options.findProcess);
    const serverInfo = { name: "ide-companion", version: options.version };
    return { capabilities: served.tier.capabilities, serverInfo };
  });
  connection.onInitialized(() => served?.start());
  connection.onShutdown(() => served?.close());
  connection.listen();
  return {
    /** Resolves with the exit code once the editor has ended the conversation, or is gone. */
    ended,
    async close() {
      stopLooking();
      await served?.close();
      connection.dispose();
    },
  };
}

/** How often to look, in milliseconds. */
const pulse = 2000;

/**
 * Tells once the editor's process is no more; some leave their pipes open behind them. Keeps nothing alive.
 * @param find the process that it goes on in
 * @returns looks no longer
 */
function onGone(
  first: number,
  tell: () => void,
  find: LspFrontendOptions["findProcess"] = async () => undefined,
): () => void {
  let pid = first;
  let isFinding = false;
  const stop = () => clearInterval(timer);
  const look = async () => {
    if (isFinding || pidIsAlive(pid)) return;
    isFinding = true;
    const next = await find();
    isFinding = false;
    if (next !== undefined) pid = next;
    else {
      stop();
      tell();
    }
  };
  const timer = setInterval(look, pulse).unref();
  return stop;
}

/** How long an editor may take to hear why we end, in milliseconds. */
const farewell = 1000;

/**
 * LSP over a pair of streams. The library's own variant for Node ends the whole process whenever it sees fit;
 * here the program that has started the frontend ends it.
 * @returns `ended` resolves with the exit code when the client has said good-bye or its end of the pipe is gone
 */
function connect(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
  const { promise: ended, resolve: end } = createDeferred<number>();
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
  const notifier = new Notifier(connection);
  reader.onError((error) => {
    if (error instanceof SyntaxError) {
      notifier.log("A message of the editor was no JSON, and was dropped.");
      return;
    }
    // A header that nobody understands: the library would wait behind it for ever.
    input.pause();
    const message = `The editor does not speak LSP with ide-companion: ${firstLineOf(error.message)}`;
    const sent = connection.sendNotification("window/showMessage", { type: MessageType.Error, message });
    // The editor may not even read.
    setTimeout(() => end(1), farewell).unref();
    void sent.catch(() => {}).then(() => end(1));
  });
  return { connection, ended, end };
}

/** Of the library's remarks only the first line, as what follows may quote a message; none when the editor has gone. */
function toDiscreet(logger: Logger): Logger {
  const say = (level: keyof Logger) => (remark: string) => {
    try {
      logger[level](firstLineOf(remark));
    } catch {
      // The connection is closed: thrown on, it would end the process in the middle of its end.
    }
  };
  return { error: say("error"), warn: say("warn"), info: say("info"), log: say("log") };
}

const firstLineOf = (remark: string) => remark.split("\n", 1)[0] ?? "";
