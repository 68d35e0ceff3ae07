import type { Json } from "../../wire/json-rpc.ts";
import { answering, type Fault, inputOf, nameOf, saidIn } from "../fault.ts";

type Down = NonNullable<Fault["down"]>;

export const proposedIn = (asked: Json): string => inputOf(asked).new_file_contents ?? "";

/** Another answer where the user has accepted. */
export const whenSaved =
  (change: (asked: Json, message: Json) => Json): Down =>
  (message, _, asked) =>
    nameOf(asked) === "openDiff" && saidIn(message)[0] === "FILE_SAVED" ? change(asked, message) : message;

export const closedForRejected: Down = (message, _, asked) =>
  nameOf(asked) === "openDiff" && saidIn(message)[0] === "DIFF_REJECTED"
    ? answering(asked, "TAB_CLOSED")
    : message;
