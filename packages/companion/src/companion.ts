import { randomBytes } from "node:crypto";
import type { Address, Agent } from "./agents/agent.ts";
import { agents as allAgents } from "./agents/agents.ts";
import { startDiscovery } from "./agents/discovery/discovery.ts";
import { startServer } from "./agents/gemini-family/server.ts";
import { createContextFeed } from "./core/context-feed.ts";
import type { Editor } from "./core/editor.ts";
import { openEditsFolder } from "./core/edits/edits-folder.ts";
import { EditsStore } from "./core/edits/edits-store.ts";
import type { Edits } from "./core/edits/recovered-edits.ts";
import { createEventHub, type OnCompanionEvent } from "./core/events.ts";
import { DiffBook } from "./core/reviews.ts";
import { createSharing, type Sharing } from "./core/sharing/sharing.ts";
import type { Host } from "./system/host.ts";
import { systemHost } from "./system/host.ts";
import { editsFolder } from "./system/state-folder.ts";
import { version } from "./version.ts";

/** The longest that `close` waits for an editor to take its diffs away, in milliseconds. */
const patience = 600;

/** What the user allows the agents. */
export interface CompanionRules {
  /** Whether an agent may accept its own diff (`acceptDiff`), which writes the file; yes by default. */
  readonly agentAccept?: () => boolean;
  /** Which files agents hear of; by default all but those that hold keys, passwords and tokens by custom. */
  readonly sharing?: Sharing;
}

export interface CompanionOptions extends CompanionRules {
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
  /** What this user typed in proposals, and what no file holds. */
  readonly edits: Edits;
  /** Tells the CLIs of other folders. A discovery file that cannot be rewritten is a warning, and tried again. */
  setRoots(roots: readonly string[]): Promise<void>;
  /** Idempotent; removes the files first and finishes within a second. */
  close(): Promise<void>;
}

/**
 * Makes an editor the IDE of the agent CLIs: starts the server, then writes the files by which they find it.
 * @throws Error when no port can be opened
 * @throws DiscoveryError when not a single discovery file can be written
 * @see docs/inside/architecture.md
 */
export async function startCompanion(options: CompanionOptions): Promise<Companion> {
  const { editor, agents = allAgents, trusted, agentAccept, host = systemHost() } = options;
  const { emit: onEvent, subscribe } = createEventHub(options.onEvent ?? (() => {}));
  let roots = [...options.roots];
  const sharing = options.sharing ?? createSharing({ host, roots: () => roots });
  const feed = createContextFeed({ sharing, ...(trusted && { trusted }) });
  const stopSharing = sharing.onChange(feed.refresh);
  feed.onWithheld((withheld, { isPaused: wasPaused }) =>
    onEvent({ kind: "sharing-changed", withheld, wasPaused }),
  );
  const edits = new EditsStore({
    folder: openEditsFolder(editsFolder(host)),
    onChange: () => onEvent({ kind: "edits-changed" }),
    onWarning: (message) => onEvent({ kind: "warning", message }),
  });
  const book = new DiffBook({
    editor,
    edits,
    onEvent,
    roots: () => roots,
    ...(agentAccept && { agentAccept }),
  });
  const tokens = new Map(agents.map((agent) => [agent, randomBytes(32).toString("base64url")]));
  const credentials = [...tokens].map(([agent, token]) => ({ agent, token }));
  const describe = () => ({ editor: editor.info, roots, paused: sharing.isPaused });
  const server = await startServer({
    version,
    credentials,
    feed,
    book,
    editor,
    sharing,
    onEvent,
    subscribe,
    describe,
  });
  const addressOf = (agent: Agent): Address => ({
    port: server.port,
    token: tokens.get(agent) ?? "",
    roots,
    ide: editor.info,
    pid: editor.pid,
    serverPid: process.pid,
  });
  const onWarning = (message: string) => onEvent({ kind: "warning", message });
  const onWritten = (files: readonly string[]) => onEvent({ kind: "discovery-changed", files });
  const discovery = await startDiscovery({ agents, addresses: addressOf, host, onWarning, onWritten }).catch(
    async (error) => {
      stopSharing();
      if (options.sharing === undefined) sharing.close();
      feed.close();
      await server.close();
      throw error;
    },
  );
  // Also when the process ends without a word, as after an uncaught error.
  const leave = () => {
    discovery.remove();
    edits.flush();
  };
  process.on("exit", leave);
  const stopListening = editor.onContext((context) => feed.update(context));
  // From before the start: what is withheld, the user sees from the beginning.
  if (sharing.isPaused) onEvent({ kind: "sharing-changed", withheld: feed.withheld, wasPaused: false });
  let closing: Promise<void> | undefined;

  async function shutDown(): Promise<void> {
    discovery.remove();
    stopListening();
    stopSharing();
    // One that was given to us is somebody else's to close.
    if (options.sharing === undefined) sharing.close();
    feed.close();
    // An editor that does not answer must not keep its CLIs waiting.
    await Promise.race([book.shutDown(), deadline(patience)]);
    book.end();
    edits.close();
    process.off("exit", leave);
    await server.close();
  }

  return {
    port: server.port,
    get env() {
      return Object.assign({}, ...agents.map((agent) => agent.terminalEnv(addressOf(agent), host)));
    },
    get discoveryFiles() {
      return discovery.files;
    },
    edits,
    async setRoots(newRoots) {
      roots = [...newRoots];
      sharing.refresh();
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
