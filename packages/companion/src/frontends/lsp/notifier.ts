import { type Connection, MessageType } from "vscode-languageserver";
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
