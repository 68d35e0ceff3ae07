import { setTimeout as delay } from "node:timers/promises";
import type { Implementation } from "@modelcontextprotocol/client";
import type { LiveFinding } from "../agents/agent.ts";
import { chooseCompanion, findLive } from "../agents/discovery/find-companions.ts";
import type { IdeInfo } from "../agents/gemini-family/contract/discovery.ts";
import { messageOf } from "../system/error-message.ts";
import type { Host } from "../system/host.ts";
import { Listeners } from "../system/listeners.ts";
import { lineageOf, readProcessTable } from "../system/processes/process-table.ts";
import { type CompanionClient, connectByHttp, spokenAgents } from "./companion-client.ts";

/** Between two attempts to find a lost IDE again, in milliseconds. */
const pause = { first: 250, longest: 10_000 };

/** Whether a client has its IDE. */
export type IdeStatus =
  | { readonly state: "connecting" }
  | {
      readonly state: "connected";
      /** As its discovery file names it. */
      readonly ide: IdeInfo | undefined;
      readonly tools: readonly string[];
    }
  /** `reason` is for people, the end of a sentence. */
  | { readonly state: "disconnected"; readonly reason: string };

/** How a client ends. */
export const closed = { state: "disconnected", reason: "the client was closed" } as const;

export interface PersistentConnectionOptions {
  readonly host: Host;
  /** Absolute; the first that a companion serves counts. Asked again at every search. */
  readonly folders: () => Promise<readonly string[]>;
  /** Asked again at every connection. */
  readonly clientInfo: () => Implementation | undefined;
  /** Called with each new connection, and with undefined when it is lost. */
  readonly onConnection: (connection: CompanionClient | undefined) => void;
}

/** One connection to an IDE, which is found again when it is lost. */
export class PersistentConnection {
  readonly #options: PersistentConnectionOptions;
  readonly #ended = new AbortController();
  readonly #statuses = new Listeners<[status: IdeStatus]>();
  /** Calls back with every change. @returns how to stop */
  readonly onStatus = this.#statuses.add;
  #connection: CompanionClient | undefined;
  #attempt: Promise<IdeStatus> | undefined;
  #searching = false;
  #status: IdeStatus = { state: "disconnected", reason: "nothing was tried yet" };

  constructor(options: PersistentConnectionOptions) {
    this.#options = options;
  }

  get status(): IdeStatus {
    return this.#status;
  }

  /** Whether there is a connection, or it is being looked for. */
  get isWanted(): boolean {
    return this.#connection !== undefined || this.#searching || this.#attempt !== undefined;
  }

  /** @returns the status it has led to; several calls at once are one */
  async connect(): Promise<IdeStatus> {
    if (this.#connection) return this.#status;
    this.#attempt ??= this.#search().finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  /** Gives a connection up that does not work any more, and looks for another one. */
  lose(lost: CompanionClient | undefined): void {
    if (lost === undefined || lost !== this.#connection || this.#ended.signal.aborted) return;
    this.#connection = undefined;
    this.#options.onConnection(undefined);
    lost.close().catch(() => {}); // it has gone first
    this.keep();
  }

  /** Keeps connected from now on, whenever there is an IDE. */
  keep(): void {
    if (!this.#searching) this.#searchAgain().catch(() => {}); // the client was closed meanwhile
  }

  async close(): Promise<void> {
    this.#ended.abort();
    const last = this.#connection;
    this.#connection = undefined;
    this.#options.onConnection(undefined);
    await last?.close();
    if (this.#status.state !== "disconnected") this.#setStatus(closed);
  }

  async #search(): Promise<IdeStatus> {
    this.#setStatus({ state: "connecting" });
    const { folders, host } = this.#options;
    const found = await findCompanionsOf(await folders(), host);
    if ("reason" in found) return this.#setStatus({ state: "disconnected", reason: found.reason });
    let reason = "";
    for (const finding of found) {
      try {
        return await this.#use(finding);
      } catch (error) {
        reason = `${finding.file} leads nowhere: ${messageOf(error)}`;
      }
    }
    return this.#setStatus({ state: "disconnected", reason });
  }

  async #use({ port, token, ide }: LiveFinding): Promise<IdeStatus> {
    const { onConnection } = this.#options;
    const clientInfo = this.#options.clientInfo();
    let next: CompanionClient | undefined;
    const onLost = () => this.lose(next);
    next = await connectByHttp(
      { host: "127.0.0.1", port, token },
      { ...(clientInfo && { clientInfo }), onLost },
    );
    if (this.#ended.signal.aborted) {
      await next.close();
      return this.#setStatus(closed);
    }
    this.#connection = next;
    onConnection(next);
    return this.#setStatus({ state: "connected", ide, tools: next.tools });
  }

  /** Until there is an IDE again, or the client ends: a discovery file may appear at any time. */
  async #searchAgain(): Promise<void> {
    this.#searching = true;
    try {
      let wait = pause.first;
      while ((await this.connect()).state !== "connected") {
        await delay(wait, undefined, { signal: this.#ended.signal, ref: false });
        wait = Math.min(wait * 2, pause.longest);
      }
    } finally {
      this.#searching = false;
    }
  }

  #setStatus(status: IdeStatus): IdeStatus {
    this.#status = status;
    this.#statuses.tell(status);
    return status;
  }
}

/** Where companions of a folder are, in the order in which they are tried; or why there is none. */
async function findCompanionsOf(
  folders: readonly string[],
  host: Host,
): Promise<readonly LiveFinding[] | { readonly reason: string }> {
  const [live, processes] = await Promise.all([findLive(host, spokenAgents), readProcessTable()]);
  const lineage = lineageOf(processes, process.pid).map(({ pid }) => pid);
  for (const folder of folders) {
    const choice = chooseCompanion(live, folder, host.env, lineage);
    if (choice) return [choice.chosen, ...choice.others];
  }
  return { reason: `no companion serves ${folders[0]}` };
}
