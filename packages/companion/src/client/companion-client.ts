import { setTimeout } from "node:timers/promises";
import { Client, type Implementation, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import type { Agent } from "../agents/agent.ts";
import { geminiFamilyAgents } from "../agents/gemini-family/agents.ts";
import { type IdeContext, notifications } from "../agents/gemini-family/contract/context.ts";
import {
  Diagnostics,
  GetDiagnosticsInput,
  OpenDiffInput,
  OpenFileInput,
} from "../agents/gemini-family/contract/tools.ts";
import { ownClients } from "../agents/gemini-family/own-clients.ts";
import type { FamilyAgent } from "../agents/gemini-family/quirks.ts";
import { Listeners } from "../system/listeners.ts";
import { version } from "../version.ts";
import { type DiffOutcome, PendingDiffs } from "./pending-diffs.ts";
import { callTool, checkCapability, openDiff } from "./tools.ts";
import { type ConnectionLost, type HttpAddress, openHttp, type Wire } from "./transport.ts";

export type { IdeContext };
export { GetDiagnosticsInput, OpenDiffInput, OpenFileInput };

/** The agents whose protocol this client speaks: it finds companions by their files. */
export const spokenAgents: readonly FamilyAgent[] = [ownClients, ...geminiFamilyAgents];

/** The agent CLIs among them. */
export const agents: readonly Agent[] = geminiFamilyAgents;

/** How long a companion may take to answer `initialize`, in milliseconds. */
const patience = 10_000;

/** How long a text that is on its way keeps us from leaving, in milliseconds. */
const farewell = 1000;

/** A companion of this machine, by its port and token. */
export interface ConnectOptions {
  readonly port: number;
  readonly token: string;
  readonly clientInfo?: Implementation;
}

/** What a connection says of itself. */
export interface WireOptions {
  readonly clientInfo?: Implementation;
  /** Called when the companion or the session with it is gone for good: there is no way but a new connection. */
  readonly onLost?: (error: ConnectionLost) => void;
}

/** One connected client: what an agent CLI does with a companion. */
export interface CompanionClient {
  /** The names of the companion's tools. */
  readonly tools: readonly string[];
  /** What the user looks at, as last sent; undefined until the first message. */
  readonly context: IdeContext | undefined;
  /** Calls back with every new context, and with the present one at once. @returns how to stop */
  onContext(listener: (context: IdeContext) => void): () => void;
  /**
   * Proposes a file's whole new text and waits for the user, however long.
   * @param filePath absolute
   * @param signal takes the proposal back; what the user has typed stays in an editor of ours
   * @throws DiffRefused when no diff can be shown
   * @throws ConnectionLost when the companion goes away
   * @throws `signal.reason` when `signal` is aborted
   */
  openDiff(filePath: string, newContent: string, options?: { signal?: AbortSignal }): Promise<DiffOutcome>;
  /** Closes the diff of a file. @returns its text as it stood, the user's edits included */
  closeDiff(filePath: string, options?: { suppressNotification?: boolean }): Promise<string>;
  /** Shows a file. @throws Error when the editor cannot, or has not */
  openFile(address: OpenFileInput): Promise<void>;
  /** What language servers have found. @throws Error when the editor does not know */
  getDiagnostics(question: GetDiagnosticsInput): Promise<Diagnostics>;
  /** Ends the session: its open diffs close, and what the user has typed in them stays in the editor. */
  close(): Promise<void>;
}

/**
 * Connects to a companion on this machine as an agent CLI does.
 * @throws Error when it does not answer, or not with a companion's protocol
 */
export function connectCompanion({ port, token, clientInfo }: ConnectOptions): Promise<CompanionClient> {
  const options = clientInfo && { clientInfo };
  return connectByHttp({ host: "127.0.0.1", port, token }, options);
}

/** The same by another name of the machine, as out of a container. */
export async function connectByHttp(
  address: HttpAddress,
  options: WireOptions = {},
): Promise<CompanionClient> {
  const pending = new PendingDiffs();
  const wire = openHttp(address, (error) => {
    pending.failAll(error);
    options.onLost?.(error);
  });
  const { clientInfo = { name: "ide-companion-client", version } } = options;
  // Announced: the companion shows our own name, and passes every text as it is.
  const client = new Client(clientInfo, { capabilities: { experimental: { ideCompanion: { version: 1 } } } });
  const contexts = listenToContexts(client);
  settleByNotifications(client, pending);
  const tools = await handshake(client, wire);
  const texts = new Set<Promise<string>>();

  return {
    tools,
    get context() {
      return contexts.latest;
    },
    onContext: contexts.listen,
    openDiff: (filePath, newContent, { signal } = {}) =>
      openDiff({ client, tools, pending, filePath, newContent, signal }),
    closeDiff(filePath, { suppressNotification = false } = {}) {
      const closed = pending.end(filePath, async () => {
        const text = await callTool(client, "closeDiff", { filePath, suppressNotification });
        if (suppressNotification) pending.settle(filePath, { kind: "closed" });
        return client.getServerVersion()?.name === "ide-companion" ? text : unwrap(text);
      });
      texts.add(closed);
      return closed.finally(() => texts.delete(closed));
    },
    async openFile(address) {
      checkCapability(tools, "openFile");
      await callTool(client, "openFile", address);
    },
    async getDiagnostics(question) {
      checkCapability(tools, "getDiagnostics");
      return Diagnostics.parse(JSON.parse(await callTool(client, "getDiagnostics", question)));
    },
    async close() {
      // The user's edits are in them, and nowhere else.
      if (texts.size > 0)
        await Promise.race([Promise.allSettled(texts), setTimeout(farewell, undefined, { ref: false })]);
      await wire.sayGoodbye();
      await client.close();
      wire.close();
      pending.failAll(new Error("the client was closed"));
    },
  };
}

function listenToContexts(client: Client) {
  const changes = new Listeners<[context: IdeContext]>();
  const { method, params } = notifications.contextUpdate;
  let latest: IdeContext | undefined;
  client.setNotificationHandler(method, { params }, (update) => {
    latest = update;
    changes.tell(update);
  });
  return {
    get latest() {
      return latest;
    },
    listen(listener: (context: IdeContext) => void) {
      if (latest) listener(latest);
      return changes.add(listener);
    },
  };
}

/** @returns the companion's tools */
async function handshake(client: Client, wire: Wire): Promise<readonly string[]> {
  try {
    await client.connect(wire.transport, { timeout: patience });
  } catch (error) {
    await client.close().catch(() => {}); // it never was open
    wire.close();
    if (!(SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout)) throw error;
    const message = `the companion has not answered for ${patience / 1000} s: its process may be stopped`;
    throw new Error(message, { cause: error });
  }
  try {
    const { tools } = await client.listTools();
    return tools.map(({ name }) => name);
  } catch {
    return []; // it has none: connected all the same, as for the agent CLIs
  }
}

/** Companions made for one CLI answer with the text wrapped in JSON, as it wants it; others with the text itself. */
function unwrap(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const fields = typeof value === "object" && value !== null ? Object.entries(value) : [];
    const [[key, content] = []] = fields;
    return fields.length === 1 && key === "content" && typeof content === "string" ? content : text;
  } catch {
    return text; // no JSON: it is the text
  }
}

function settleByNotifications(client: Client, pending: PendingDiffs): void {
  const { diffAccepted, diffRejected, diffClosed } = notifications;
  client.setNotificationHandler(
    diffAccepted.method,
    { params: diffAccepted.params },
    ({ filePath, ...accepted }) => pending.settle(filePath, { kind: "accepted", ...accepted }),
  );
  for (const { method, params } of [diffRejected, diffClosed]) {
    client.setNotificationHandler(method, { params }, ({ filePath, comments }) =>
      pending.settle(filePath, { kind: "rejected", ...(comments && { comments }) }),
    );
  }
}
