import { readFileSync } from "node:fs";
import type { SystemFolders } from "../../target/folders.ts";
import { isJson, type Json } from "../../wire/json-rpc.ts";
import { answering, changing, type HttpFault, inputOf, nameOf } from "../fault.ts";

/** What a companion of this contract does wrong. */
export interface FamilyFault extends HttpFault {
  /** What a good one does, where ours does not offer it at all. */
  readonly good?: Partial<FamilyFault>;
  /** Another name for a discovery file. @returns undefined to leave it out */
  fileName?(name: string): string | undefined;
  readonly folderMode?: number;
  /** Whether a discovery file is written where CLIs look for it, not replaced. */
  readonly inPlace?: true;
  /** Does something before the companion starts. */
  prepare?(folders: SystemFolders): void;
  /** Where the server listens. */
  readonly host?: string;
  readonly port?: number;
  /** The signals that end it cleanly. */
  readonly endsBy?: readonly NodeJS.Signals[];
  /** Whether it goes on when it is asked to end. */
  readonly stays?: true;
}

type Down = NonNullable<HttpFault["down"]>;
type Up = NonNullable<HttpFault["up"]>;

/** Other fields in every discovery file, or in those of some names. */
export const fields =
  (changed: Json, names = /^/): NonNullable<FamilyFault["lock"]> =>
  (content, _, name) =>
    names.test(name) ? { ...content, ...changed } : content;

const contextUpdate = "ide/contextUpdate";

/** Other files in every context. @param change undefined drops the context */
export const listing = (change: (files: readonly Json[]) => readonly Json[] | undefined): Down =>
  changing(contextUpdate, (params) => {
    const state = isJson(params.workspaceState) ? params.workspaceState : {};
    const openFiles = change(Array.isArray(state.openFiles) ? state.openFiles : []);
    return openFiles && { ...params, workspaceState: { ...state, openFiles } };
  });

/** Changes each file that a context lists. */
export const changed = (change: (file: Json) => Json): Down =>
  listing((files) => files.map((file) => ({ ...file, ...change(file) })));

/** Changes the cursor of the file that has the focus. */
export const withCursor = (change: (cursor: { line: number; character: number }, path: string) => Json) =>
  changed(({ path, cursor }) =>
    isJson(cursor)
      ? { cursor: change({ line: Number(cursor.line), character: Number(cursor.character) }, String(path)) }
      : {},
  );

/** Changes what is selected. @param change of it, and of the text of its file */
export const withSelection = (change: (selected: string, text: string) => string) =>
  changed(({ path, selectedText }) =>
    typeof selectedText === "string"
      ? { selectedText: change(selectedText, readFileSync(String(path), "utf8")) }
      : {},
  );

/** Files that were reported once are reported for ever. */
export function remembering(): Down {
  const known = new Map<unknown, Json>();
  return listing((files) => {
    for (const { path, timestamp } of files) known.set(path, { path, timestamp });
    const others = [...known.values()].filter(({ path }) => files.every((file) => file.path !== path));
    return [...files, ...others];
  });
}

/** Does something when a tool is called. */
export const before =
  (tool: string, act: (input: ReturnType<typeof inputOf>, link: Parameters<Up>[1]) => void): Up =>
  (message, link) => {
    if (message && nameOf(message) === tool) act(inputOf(message), link);
    return message;
  };

/** Calls a tool with other arguments. */
export const calling =
  (tool: string, change: (input: ReturnType<typeof inputOf>) => Json): Up =>
  (message) => {
    if (!message || nameOf(message) !== tool) return message;
    const input = { ...inputOf(message), ...change(inputOf(message)) };
    return { ...message, params: { ...(message.params as Json), arguments: input } };
  };

/** Proposes another text. */
export const proposing = (change: (text: string) => string): Up =>
  calling("openDiff", ({ newContent = "" }) => ({ newContent: change(newContent) }));

export const accepted = "ide/diffAccepted";
export const rejected = "ide/diffRejected";

export const outcome = (method: string, params: Json): Json => ({ jsonrpc: "2.0", method, params });

/** No rejection is reported. */
export const neverRejecting: Pick<HttpFault, "down"> = { down: changing(rejected, () => undefined) };

/** Remembers each proposed text, by its path. */
const remember = before("openDiff", ({ filePath = "", newContent }, { memory }) => {
  memory.set(filePath, newContent);
});

/** Reports the proposed text, whatever the user made of it. */
export const forgetful: Pick<HttpFault, "up" | "down"> = {
  up: remember,
  down(message, link, asked) {
    const proposed = (path: unknown) => String(link.memory.get(String(path)));
    if (message.method === accepted) {
      const { filePath } = message.params as Json;
      return outcome(accepted, { filePath, content: proposed(filePath) });
    }
    return nameOf(asked) === "closeDiff" ? answering(asked, proposed(inputOf(asked).filePath)) : message;
  },
};

/** The error of a call becomes an empty answer. */
export const unrefused =
  (isMeant: (asked: Json) => boolean): Down =>
  (message, _, asked) => {
    const isError =
      message.error !== undefined || (isJson(message.result) && message.result.isError === true);
    return isError && isMeant(asked) ? answering(asked) : message;
  };
