import type { Implementation } from "@modelcontextprotocol/client";
import type { IdeContext, OpenFile } from "../agents/gemini-family/contract/context.ts";
import { contextLimits, cutText } from "../core/context.ts";
import { type Host, systemHost } from "../system/host.ts";
import { Listeners } from "../system/listeners.ts";
import type { CompanionClient } from "./companion-client.ts";
import type { DiffOutcome } from "./pending-diffs.ts";
import { closed, type IdeStatus, PersistentConnection } from "./persistent-connection.ts";
import { PromisedDiffs, type TerminalDecision } from "./promised-diffs.ts";

/** For which folder a client searches. */
export interface IdeClientOptions {
  /** Absolute path of the folder that the agent works in; the present one when absent. */
  readonly folder?: string;
  /** How the IDE shows this client to its user. */
  readonly clientInfo?: Implementation;
  /** The machine to look on; this one when absent. */
  readonly host?: Host;
}

/** IDE mode for an agent: one IDE, found again when it is lost. */
export interface IdeClient {
  readonly status: IdeStatus;
  /** Calls back with every change. @returns how to stop */
  onStatus(listener: (status: IdeStatus) => void): () => void;
  /** What the user looks at, as the agent CLIs hand it to their models; undefined without an IDE. */
  readonly context: IdeContext | undefined;
  /** Calls back with every change. @returns how to stop */
  onContext(listener: (context: IdeContext | undefined) => void): () => void;
  /**
   * Looks for the IDE and connects, now, unless it is connected; may be called again at any time.
   * @returns the status it has led to; that there is no IDE is no error
   */
  connect(): Promise<IdeStatus>;
  /**
   * Shows a file's whole new text as a diff and waits for the user, however long. When the IDE is lost meanwhile, the
   * next one shows it again.
   * @param filePath absolute
   * @param signal takes the proposal back
   * @throws DiffRefused when the IDE shows no diff of it
   * @throws Error when no IDE is connected, or the client is closed
   * @throws `signal.reason` when `signal` is aborted
   */
  openDiff(filePath: string, newContent: string, options?: { signal?: AbortSignal }): Promise<DiffOutcome>;
  /**
   * The user has decided in the terminal: closes the diff in the IDE, with the user's edits in it.
   * @returns the one outcome, which `openDiff` gives as well: the IDE's, if that was faster
   * @throws Error when no diff of this file is open
   */
  decide(filePath: string, decision: TerminalDecision): Promise<DiffOutcome>;
  /** Ends everything; open diffs fail. */
  close(): Promise<void>;
}

/** Makes an agent's end of IDE mode. Nothing happens before `connect`. */
export function createIdeClient(options: IdeClientOptions = {}): IdeClient {
  const { folder = process.cwd(), host = systemHost(), clientInfo } = options;
  const store = createContextStore();
  const diffs = new PromisedDiffs((trouble) => connection.lose(trouble));
  let present: CompanionClient | undefined;
  const connection = new PersistentConnection({
    host,
    folders: async () => [folder],
    clientInfo: () => clientInfo,
    onConnection: (connection) => {
      present = connection;
      diffs.attach(connection);
      if (!connection) store.clear();
      connection?.onContext((context) => present === connection && store.set(context));
    },
  });
  return {
    get status() {
      return connection.status;
    },
    onStatus: connection.onStatus,
    get context() {
      return store.context;
    },
    onContext: store.onChange,
    connect: () => connection.connect(),
    async openDiff(filePath, newContent, { signal } = {}) {
      if (!connection.isWanted) throw new Error("no IDE is connected");
      return diffs.propose(filePath, newContent, signal);
    },
    decide: (filePath, decision) => diffs.decide(filePath, decision),
    async close() {
      diffs.failAll(new Error(closed.reason));
      await connection.close();
    },
  };
}

/**
 * A context as the agent CLIs hand it to their models: newest focus first, cursor and selection of the one
 * active file only, 10 files, 16 384 characters. The order is by time alone: where the newest file is not active,
 * none is. The argument is not changed.
 * @see docs/reference/contract.md#3-context
 */
export function normalizeContext(context: IdeContext): IdeContext {
  const { workspaceState } = context;
  if (!workspaceState?.openFiles) return context;
  const [newest, ...others] = workspaceState.openFiles.toSorted((a, b) => b.timestamp - a.timestamp);
  const openFiles = [
    ...(newest ? [newest.isActive ? cutSelection(newest) : strip(newest)] : []),
    ...others.map(strip),
  ];
  return {
    ...context,
    workspaceState: { ...workspaceState, openFiles: openFiles.slice(0, contextLimits.files) },
  };
}

/** What the user looks at, for everybody who wants to know. */
export interface ContextStore {
  /** Normalised; undefined while no IDE tells anything. */
  readonly context: IdeContext | undefined;
  set(context: IdeContext): void;
  clear(): void;
  /** Calls back with every change. @returns how to stop */
  onChange(listener: (context: IdeContext | undefined) => void): () => void;
}

/** Keeps the last context for those who ask later. Holds none at first. */
export function createContextStore(): ContextStore {
  const changes = new Listeners<[context: IdeContext | undefined]>();
  let present: IdeContext | undefined;
  const change = (context: IdeContext | undefined) => {
    present = context;
    changes.tell(context);
  };
  return {
    get context() {
      return present;
    },
    set: (context) => change(normalizeContext(context)),
    clear() {
      if (present !== undefined) change(undefined);
    },
    onChange: changes.add,
  };
}

export type { OpenFile };

/** What stands after a selection that was cut, so that a model does not take it for the whole. */
const cutMark = "... [TRUNCATED]";

const strip = ({ path, timestamp }: OpenFile): OpenFile => ({ path, timestamp, isActive: false });

function cutSelection(file: OpenFile): OpenFile {
  const { selectedText = "" } = file;
  if (selectedText.length <= contextLimits.selectedText) return file;
  return { ...file, selectedText: `${cutText(selectedText, contextLimits.selectedText)}${cutMark}` };
}
