import { isJson, type Json } from "../../wire/json-rpc.ts";
import type { Fault } from "../fault.ts";

/** What a companion of this contract does wrong. */
export interface CodexFault extends Fault {
  /** Another name of the socket. */
  readonly socketName?: string;
  readonly folderMode?: number;
  /** Whether nobody listens where older versions ask. */
  readonly onlyCurrent?: true;
  /** Whether it leaves what a dead program has left. */
  readonly keepsStale?: true;
  /** Whether it takes the place of a program that listens. */
  readonly steals?: true;
  /** Whether its socket outlasts it. */
  readonly keepsSocket?: true;
  /** Whether a message that comes in pieces is lost. */
  readonly forgetsPieces?: true;
}

/** Another context in each answer. */
export const contexts =
  (change: (context: Json) => Json): NonNullable<Fault["down"]> =>
  (message) => {
    const { result } = message;
    if (!isJson(result) || !isJson(result.ideContext)) return message;
    return { ...message, result: { ideContext: change(result.ideContext) } };
  };

/** Another range of what is selected. @param change undefined for none */
export const selections = (change: (start: Json, end: Json) => object | null) =>
  contexts(({ activeFile, ...others }) => {
    const { selection } = isJson(activeFile) ? activeFile : {};
    const { start, end } = isJson(selection) ? selection : {};
    if (!isJson(activeFile) || !isJson(start) || !isJson(end)) return { activeFile, ...others };
    return { ...others, activeFile: { ...activeFile, selection: change(start, end) } };
  });
