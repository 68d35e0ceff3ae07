import type { Implementation } from "@modelcontextprotocol/client";
import type { CompanionClient, IdeContext } from "../../client/companion-client.ts";
import { PersistentConnection } from "../../client/persistent-connection.ts";
import type { Host } from "../../system/host.ts";
import { Listeners } from "../../system/listeners.ts";
import { toShellWord } from "../../system/shell-word.ts";

export interface EditorLinkOptions {
  readonly host: Host;
  /** Absolute; the first that a companion serves counts. Asked again at every search. */
  readonly folders: () => Promise<readonly string[]>;
  /** Who is to be shown as the one who proposes. Asked when it is needed. */
  readonly name: () => Implementation;
}

/** The way to the user's editor, whichever companion it has at the moment. */
export type EditorLink = ReturnType<typeof createEditorLink>;

export function createEditorLink({ host, folders, name }: EditorLinkOptions) {
  const changes = new Listeners();
  let client: CompanionClient | undefined;
  const connection = new PersistentConnection({
    host,
    folders,
    clientInfo: name,
    onConnection: (present) => {
      client = present;
      present?.onContext(() => changes.tell());
      changes.tell();
    },
  });
  return {
    get context(): IdeContext {
      return client?.context ?? {};
    },
    onContext: changes.add,
    keep: () => connection.keep(),
    /** @throws Error with what to do, when there is no companion */
    async connected() {
      const status = await connection.connect();
      if (!client) {
        const [folder = ""] = await folders();
        throw new Error(
          `No editor is connected${status.state === "disconnected" ? `: ${status.reason}` : ""}. Ask the user to start one there: ` +
            `by the editor's plugin, or with "ide-companion ${toShellWord(folder)}" in a terminal.`,
        );
      }
      await firstContext(client);
      return client;
    },
    close: () => connection.close(),
  };
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
