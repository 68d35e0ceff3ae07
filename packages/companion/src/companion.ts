import { setTimeout as wait } from "node:timers/promises";
import type { AgentIdentity } from "./agents/agent.ts";
import { families as allFamilies } from "./agents/families.ts";
import { type AgentFamily, type Core, type ServedFamilies, startFamilies } from "./agents/family.ts";
import { ReviewSwitch } from "./agents/review-switch.ts";
import { Reviews } from "./core/changes/reviews.ts";
import { type Comments, openCommentsFolder } from "./core/comments/comment.ts";
import { CommentsStore } from "./core/comments/comments-store.ts";
import { CommentsDelivery } from "./core/comments/delivery.ts";
import { createContextFeed } from "./core/context-feed.ts";
import type { Editor } from "./core/editor.ts";
import { EditsStore } from "./core/edits/edits-store.ts";
import { type Edits, openEditsFolder } from "./core/edits/recovered-edits.ts";
import { createEventHub, type OnCompanionEvent } from "./core/events.ts";
import { History } from "./core/history/history.ts";
import { type DecisionHistory, openHistoryFolder } from "./core/history/past-decision.ts";
import { type PromptMessage, pathsOf } from "./core/prompt-message.ts";
import { Sessions } from "./core/sessions.ts";
import { createSharing, type Sharing } from "./core/sharing/sharing.ts";
import { type CompanionStatus, Status } from "./core/status.ts";
import { type OpenTurns, Turns } from "./core/turns.ts";
import { WrittenWatch } from "./core/written/written-watch.ts";
import {
  commentsFolder,
  editsFolder,
  type Host,
  historyFolder,
  systemHost,
  writtenFolder,
} from "./system/host.ts";
import { version } from "./version.ts";

/** The longest that `close` waits for an editor to take its diffs away, in milliseconds. */
const patience = 600;

/** An editor, and how its companion serves it. */
export interface CompanionOptions {
  readonly editor: Editor;
  /** Absolute paths of the open folders; none when the editor has no folder open. */
  readonly roots: readonly string[];
  /** The agent CLIs to serve; all of the families by default. */
  readonly agents?: readonly AgentIdentity[];
  /** Only for an editor with a notion of trust, asked whenever something is sent: false makes a CLI block and ask for a restart. */
  readonly trusted?: () => boolean;
  /** Whether an agent may accept its own diff (`acceptDiff`), which writes the file; yes by default. */
  readonly agentAccept?: () => boolean;
  /** Which files agents hear of; by default all but those that hold keys, passwords and tokens by custom. */
  readonly sharing?: Sharing;
  /** Called with everything that happens. */
  readonly onEvent?: OnCompanionEvent;
  /** The user's folders and environment; those of this process by default. */
  readonly host?: Host;
}

/** The same, for other families of agents than those that there are. */
export interface ServingOptions extends CompanionOptions {
  readonly families?: readonly AgentFamily[];
}

/** What has become of a message: an agent's prompt has it, no prompt could be reached, or the user keeps it from agents. */
export type Sent =
  | { readonly kind: "sent" /** For people. */; readonly agent: string }
  /** `busy` is the agent, for people, whose prompt could be reached, and holds a text of the user's. */
  | { readonly kind: "unreached"; readonly busy?: string }
  | { readonly kind: "paused" }
  | { readonly kind: "excluded" /** Absolute. */; readonly path: string };

/** A companion that runs. */
export interface Companion {
  /** Where agents that use a port connect; 0 when none of them does. */
  readonly port: number;
  /** Variables for the editor's terminals. They hold a token: keep them out of logs. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute paths. */
  readonly discoveryFiles: readonly string[];
  /** Who is connected, what waits for a decision, and what the agents were sent. */
  readonly status: CompanionStatus;
  /** What this user typed in proposals, and what no file holds. */
  readonly edits: Edits;
  /** What this user wrote about proposals, and what no agent has received. */
  readonly comments: Comments;
  /**
   * Puts comments that wait into an agent's prompt, unsent, and forgets them.
   * @returns that agent's name for people; undefined when no prompt could be reached: then they wait on
   */
  sendComments(id: string): Promise<string | undefined>;
  /** Decisions of the last weeks. */
  readonly history: DecisionHistory;
  /** What the agents propose, by turn, and which of it is accepted ahead. */
  readonly turns: OpenTurns;
  /**
   * Puts references, diagnostics and words into the prompt of the agent that was used last, of those that can take them.
   * Where none is reached, the editor types them into its own terminal of an agent, or uses the clipboard.
   * @param mayType false: only to an agent with a message for references, and nothing is typed
   */
  send(message: PromptMessage, options?: { readonly mayType?: boolean }): Promise<Sent>;
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
export function startCompanion(options: CompanionOptions): Promise<Companion> {
  return startServing(options);
}

/** The same, for the families that it is given. */
export async function startServing({
  families = allFamilies,
  agents,
  ...options
}: ServingOptions): Promise<ServedCompanion> {
  const companion = new RunningCompanion(options);
  await companion.start(families, agents);
  return companion;
}

/** A companion as our frontends know it. */
export interface ServedCompanion extends Companion {
  /** What agents have written without asking. */
  readonly written: Pick<WrittenWatch, "read" | "latest" | "onChange" | "noteSaved" | "tellOnceSaved">;
  readonly reviewSwitch: ReviewSwitch;
}

class RunningCompanion implements ServedCompanion {
  readonly status = new Status();
  readonly edits: EditsStore;
  readonly comments: CommentsStore;
  readonly history: History;
  readonly written: WrittenWatch;
  readonly reviewSwitch: ReviewSwitch;
  readonly turns: Turns;
  readonly #options: Omit<ServingOptions, "families" | "agents">;
  readonly #host: Host;
  readonly #core: Core;
  /** Comments that are on their way, by id: asked for twice, they are typed once. */
  readonly #sending = new Map<string, Promise<string | undefined>>();
  #roots: readonly string[];
  #families: ServedFamilies | undefined;
  #stopSharing = () => {};
  #stopListening = () => {};
  #closing: Promise<void> | undefined;

  constructor(options: Omit<ServingOptions, "families" | "agents">) {
    const { editor, trusted, agentAccept, host = systemHost(), onEvent = () => {} } = options;
    this.#options = options;
    this.#host = host;
    this.#roots = [...options.roots];
    const roots = () => this.#roots;
    const events = createEventHub(onEvent);
    const { emit } = events;
    const onWarning = (message: string) => emit({ kind: "warning", message });
    const sharing = options.sharing ?? createSharing({ host, roots });
    const context = createContextFeed({ sharing, ...(trusted && { trusted }) });
    this.edits = new EditsStore({
      ...{ folder: openEditsFolder(editsFolder(host)), onWarning },
      onChange: () => emit({ kind: "edits-changed" }),
    });
    this.comments = new CommentsStore({
      ...{ folder: openCommentsFolder(commentsFolder(host)), onWarning },
      onChange: () => emit({ kind: "comments-changed" }),
    });
    this.history = new History({
      ...{ folder: openHistoryFolder(historyFolder(host)), sharing, onWarning },
      turnOf: (sessionId) => this.turns.nameOf(sessionId),
    });
    this.written = new WrittenWatch({
      ...{ folder: writtenFolder(host), isSecret: sharing.check },
      onTurn: ({ id: turn, agent, changes: { length: files } }) =>
        emit({ kind: "turn-written", turn, agent, files }),
    });
    this.reviewSwitch = new ReviewSwitch(host, roots);
    const delivery = new CommentsDelivery({
      store: this.comments,
      prompt: (sessionId, message) => sessions.prompt(sessionId, message),
      onEvent: emit,
    });
    const reviews = new Reviews({
      editor,
      edits: this.edits,
      delivery,
      onEvent: emit,
      roots,
      ...(agentAccept && { agentAccept }),
    });
    this.turns = new Turns({ accept: reviews.acceptAhead.bind(reviews), sharing, roots });
    for (const listener of [this.status, this.history, delivery, this.turns, this.written])
      events.subscribe((event) => void listener.take(event));
    const sessions = new Sessions({ reviews, onEvent: emit, onPrompt: (id) => this.turns.end(id) });
    this.#core = { version, editor, context, reviews, sessions, sharing, events, roots };
  }

  /** To be called once. @throws as `startCompanion` */
  async start(families: readonly AgentFamily[], agents: readonly AgentIdentity[] | undefined): Promise<void> {
    const { sharing, context, events } = this.#core;
    const { emit } = events;
    this.#stopSharing = sharing.onChange(context.refresh);
    this.written.start();
    context.onWithheld((withheld, { isPaused: wasPaused }) =>
      emit({ kind: "sharing-changed", withheld, wasPaused }),
    );
    try {
      this.#families = await startFamilies(families, agents, this.#core, this.#host);
    } catch (error) {
      this.#stopSharingFiles();
      this.written.close();
      throw error;
    }
    process.on("exit", this.#leave);
    this.#stopListening = this.#options.editor.onContext((latest) => context.update(latest));
    // From before the start: what is withheld, the user sees from the beginning.
    if (sharing.isPaused) emit({ kind: "sharing-changed", withheld: context.withheld, wasPaused: false });
  }

  get port(): number {
    return this.#families?.port ?? 0;
  }

  get env(): Readonly<Record<string, string>> {
    return this.#families?.env ?? {};
  }

  get discoveryFiles(): readonly string[] {
    return this.#families?.files ?? [];
  }

  sendComments(id: string): Promise<string | undefined> {
    const sent = this.#sending.get(id) ?? this.#typeComments(id).finally(() => this.#sending.delete(id));
    this.#sending.set(id, sent);
    return sent;
  }

  async send(message: PromptMessage, { mayType }: { readonly mayType?: boolean } = {}): Promise<Sent> {
    const { sharing, sessions } = this.#core;
    if (sharing.isPaused) return { kind: "paused" };
    for (const path of pathsOf(message)) if (await sharing.check(path)) return { kind: "excluded", path };
    const reached = await sessions.send(message, mayType);
    if (reached && "agent" in reached) return { kind: "sent", agent: reached.agent };
    return { kind: "unreached", ...reached };
  }

  async setRoots(roots: readonly string[]): Promise<void> {
    this.#roots = [...roots];
    this.#core.sharing.refresh();
    this.#families?.rewriteFiles();
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #typeComments(id: string): Promise<string | undefined> {
    const waiting = this.comments.read(id);
    const agent = waiting && (await this.#core.sessions.promptAny(waiting.agent, waiting));
    if (agent !== undefined) this.comments.discard(id);
    return agent;
  }

  #stopSharingFiles(): void {
    this.#stopSharing();
    // A sharing that was given to us is somebody else's to close.
    if (this.#options.sharing === undefined) this.#core.sharing.close();
    this.#core.context.close();
  }

  /** Also when the process ends without a word, as after an uncaught error. */
  readonly #leave = () => {
    this.#families?.removeFiles();
    this.edits.flush();
    this.comments.flush();
    this.history.close();
  };

  async #shutDown(): Promise<void> {
    const { reviews } = this.#core;
    this.#families?.removeFiles();
    this.#stopListening();
    this.written.close();
    this.#stopSharingFiles();
    this.turns.close();
    // An editor that does not answer must not keep its CLIs waiting.
    await Promise.race([reviews.shutDown(), wait(patience, undefined, { ref: false })]);
    reviews.end();
    this.edits.close();
    this.comments.close();
    process.off("exit", this.#leave);
    await this.#families?.close();
    await Promise.race([this.history.known, wait(patience, undefined, { ref: false })]);
    this.history.close();
  }
}
