import { isJson, type Json, parseJson } from "../../wire/json-rpc.ts";
import { answering, type Fault, type HttpFault, nameOf, saidIn } from "../fault.ts";

/** What a companion of this contract does wrong. */
export interface CopilotFault extends HttpFault {
  readonly socketFolderMode?: number;
  /** Milliseconds from the lock file until it listens. */
  readonly listensAfter?: number;
  /** Whether the lock file is removed after the connections have ended. */
  readonly lockLast?: true;
}

type Down = NonNullable<Fault["down"]>;

/** Another value in the text with which a tool is answered. */
export const reporting =
  (tool: string, change: (value: Json, asked: Json) => unknown): Down =>
  (message, _, asked) => {
    const value = parseJson(saidIn(message)[0] ?? "");
    if (nameOf(asked) !== tool || message.error) return message;
    return answering(asked, JSON.stringify(change(isJson(value) ? value : {}, asked)));
  };

/** Another decision, where it was this one. */
export const deciding = (result: string, other: string): Down =>
  reporting("open_diff", (value) => (value.result === result ? { ...value, result: other } : value));
