import { ErrorCodes, ResponseError } from "vscode-languageserver";
import { pidIsAlive } from "../../system/liveness.ts";
import { toClient } from "./client.ts";
import { connect } from "./connection.ts";
import { type LspFrontendOptions, ServedEditor } from "./served-editor.ts";

/** The companion of one editor, which speaks LSP with it. */
export interface LspFrontend {
  /** Resolves with the exit code once the editor has ended the conversation, or is gone. */
  readonly ended: Promise<number>;
  close(): Promise<void>;
}

/** Waits for an editor's `initialize`; its companion starts with `initialized`. */
export function startLspFrontend(options: LspFrontendOptions): LspFrontend {
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
    if (client.pid !== undefined) stopLooking = onGone(client.pid, () => end(1));
    const serverInfo = { name: "ide-companion", version: options.version };
    return { capabilities: served.tier.capabilities, serverInfo };
  });
  connection.onInitialized(() => served?.start());
  connection.onShutdown(() => served?.close());
  connection.listen();
  return {
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
 * @returns looks no longer
 */
function onGone(pid: number, tell: () => void): () => void {
  const stop = () => clearInterval(timer);
  const timer = setInterval(() => {
    if (pidIsAlive(pid)) return;
    stop();
    tell();
  }, pulse).unref();
  return stop;
}
