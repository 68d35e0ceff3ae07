import { randomBytes } from "node:crypto";
import { type Agent, agents as allAgents, type Host, type Place, systemHost } from "./agents/index.ts";
import { createEventHub, type OnCompanionEvent } from "./companion-event.ts";
import { createContextFeed } from "./context/index.ts";
import { DiffBook } from "./diffs/index.ts";
import { startDiscovery } from "./discovery/index.ts";
import type { Editor } from "./editor.ts";
import { startServer } from "./server/index.ts";
import { version } from "./version.ts";

/** The longest that `close` waits for an editor to take its diffs away, in milliseconds. */
const patience = 600;

export interface CompanionOptions {
  readonly editor: Editor;
  /** Absolute paths of the open folders; none when the editor has no folder open. */
  readonly roots: readonly string[];
  /** The agent CLIs to be found by; all that we know by default. */
  readonly agents?: readonly Agent[];
  /** Only for an editor with a notion of trust, asked at every telling: false makes a CLI block and ask for a restart. */
  readonly trusted?: () => boolean;
  readonly onEvent?: OnCompanionEvent;
  readonly host?: Host;
}

export interface Companion {
  readonly port: number;
  /** Variables for the editor's terminals. They hold a token: keep them out of logs. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute paths. */
  readonly discoveryFiles: readonly string[];
  /** Tells the CLIs of other folders. A discovery file that cannot be rewritten is a warning, and tried again. */
  setRoots(roots: readonly string[]): Promise<void>;
  /** Idempotent; removes the files first and finishes within a second. */
  close(): Promise<void>;
}

/**
 * Makes an editor the IDE of the agent CLIs: starts the server, then writes the files by which they find it.
 * @throws Error when no port can be opened
 * @throws DiscoveryError when not a single discovery file can be written
 * @see docs/architecture.md
 */
export async function startCompanion(options: CompanionOptions): Promise<Companion> {
  const { editor, agents = allAgents, trusted, host = systemHost() } = options;
  const { emit: onEvent, subscribe } = createEventHub(options.onEvent ?? (() => {}));
  let roots = [...options.roots];
  const feed = createContextFeed({ ...(trusted && { trusted }) });
  const book = new DiffBook({ editor, onEvent });
  const tokens = new Map(agents.map((agent) => [agent, randomBytes(32).toString("base64url")]));
  const credentials = [...tokens].map(([agent, token]) => ({ agent, token }));
  const describe = () => ({ editor: editor.info, roots });
  const server = await startServer({
    version,
    credentials,
    feed,
    book,
    editor,
    onEvent,
    subscribe,
    describe,
  });
  const placeOf = (agent: Agent): Place => ({
    port: server.port,
    token: tokens.get(agent) ?? "",
    roots,
    ide: editor.info,
    pid: editor.pid,
    serverPid: process.pid,
  });
  const onWarning = (message: string) => onEvent({ kind: "warning", message });
  const onWritten = (files: readonly string[]) => onEvent({ kind: "discovery-changed", files });
  const discovery = await startDiscovery({ agents, places: placeOf, host, onWarning, onWritten }).catch(
    async (error) => {
      feed.close();
      await server.close();
      throw error;
    },
  );
  // Also when the process ends without a word, as after an uncaught error.
  process.on("exit", discovery.remove);
  const stopListening = editor.onContext((context) => feed.update(context));
  let closing: Promise<void> | undefined;

  async function shutDown(): Promise<void> {
    discovery.remove();
    process.off("exit", discovery.remove);
    stopListening();
    feed.close();
    // An editor that does not answer must not keep its CLIs waiting.
    await Promise.race([book.shutDown(), deadline(patience)]);
    await server.close();
  }

  return {
    port: server.port,
    get env() {
      return Object.assign({}, ...agents.map((agent) => agent.terminalEnv(placeOf(agent), host)));
    },
    get discoveryFiles() {
      return discovery.files;
    },
    async setRoots(newRoots) {
      roots = [...newRoots];
      await discovery.rewrite();
    },
    close() {
      closing ??= shutDown();
      return closing;
    },
  };
}

function deadline(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
