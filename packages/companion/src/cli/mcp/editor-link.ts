import { setTimeout as wait } from "node:timers/promises";
import type { Implementation } from "@modelcontextprotocol/client";
import { chooseCompanion, findCompanions } from "../../agents/discovery/find-companions.ts";
import {
  type CompanionClient,
  connectByHttp,
  type IdeContext,
  spokenAgents,
} from "../../client/companion-client.ts";
import type { Host } from "../../system/host.ts";
import { toShellWord } from "../../system/shell-word.ts";
import { toDisplayPath } from "../terminal/text.ts";

/** How often a companion is looked for while there is none, in milliseconds. */
const searchInterval = 1000;

export interface EditorLinkOptions {
  readonly host: Host;
  /** Absolute; the first that a companion serves counts. Asked again at every search. */
  readonly folders: () => Promise<readonly string[]>;
  /** Who is to be shown as the one who proposes. Asked when it is needed. */
  readonly name: () => Implementation;
}

/** The way to the user's editor, whichever companion it has at the moment. */
export interface EditorLink {
  /** What the user looks at; empty while there is no companion. */
  readonly context: IdeContext;
  /** Keeps connected from now on, whenever there is a companion. */
  keep(): void;
  /** @throws Error with what to do, when there is no companion */
  connected(): Promise<CompanionClient>;
  close(): Promise<void>;
}

export function createEditorLink({ host, folders, name }: EditorLinkOptions): EditorLink {
  const stop = new AbortController();
  let client: CompanionClient | undefined;
  let connecting: Promise<CompanionClient> | undefined;
  let isKept = false;

  async function connect(): Promise<CompanionClient> {
    const found = await findServing(host, await folders());
    const { port, token } = found;
    let fresh: CompanionClient | undefined;
    // It may be lost before it is there: then the first call tells.
    const onLost = () => fresh && leave(fresh);
    fresh = await connectByHttp({ host: "127.0.0.1", port, token }, { clientInfo: name(), onLost });
    if (stop.signal.aborted) {
      await fresh.close();
      stop.signal.throwIfAborted();
    }
    client = fresh;
    await firstContext(fresh);
    return fresh;
  }

  /** Closed as well: it would go on asking a port that may soon be somebody else's. */
  function leave(lost: CompanionClient): void {
    if (client !== lost) return;
    client = undefined;
    void lost.close();
  }

  async function connected(): Promise<CompanionClient> {
    if (client) return client;
    connecting ??= connect().finally(() => {
      connecting = undefined;
    });
    return connecting;
  }

  async function search(): Promise<void> {
    while (!stop.signal.aborted) {
      await connected().catch(() => {
        // There is none yet: who asks for something hears so.
      });
      await wait(searchInterval, undefined, { signal: stop.signal, ref: false }).catch(() => {});
    }
  }

  return {
    get context() {
      return client?.context ?? {};
    },
    keep() {
      if (!isKept) void search();
      isKept = true;
    },
    connected,
    async close() {
      stop.abort();
      await client?.close();
    },
  };
}

async function findServing(host: Host, folders: readonly string[]) {
  const live = (await findCompanions(host, spokenAgents)).filter((finding) => finding.result === "live");
  for (const folder of folders) {
    const choice = chooseCompanion(live, folder, host.env);
    if (choice) return choice.chosen;
  }
  const [folder = ""] = folders;
  throw new Error(
    `No editor is connected: no companion serves ${toDisplayPath(folder, host.home)}. Ask the user to start one there: ` +
      `by the editor's plugin, or with "ide-companion ${toShellWord(folder)}" in a terminal.`,
  );
}

/** The present context comes as soon as the stream is open: the first question must not come sooner. */
async function firstContext(client: CompanionClient): Promise<void> {
  if (client.context) return;
  await new Promise<void>((resolve) => {
    const finish = () => {
      stopListening();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(finish, 2000);
    const stopListening = client.onContext(finish);
  });
}
