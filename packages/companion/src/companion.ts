import type { AgentIdentity } from "./agents/agent.ts";
import { families as allFamilies } from "./agents/families.ts";
import type { AgentFamily, Core, ServedFamily } from "./agents/family.ts";
import { type Comments, openCommentsFolder } from "./core/comments/comment.ts";
import { CommentsStore } from "./core/comments/comments-store.ts";
import { CommentsDelivery } from "./core/comments/delivery.ts";
import { createContextFeed } from "./core/context-feed.ts";
import type { Editor } from "./core/editor.ts";
import { EditsStore } from "./core/edits/edits-store.ts";
import type { Edits } from "./core/edits/recovered-edits.ts";
import { openEditsFolder } from "./core/edits/recovered-edits.ts";
import { createEventHub, type OnCompanionEvent } from "./core/events.ts";
import { History } from "./core/history/history.ts";
import { openHistoryFolder, type PastDecision, type ScannedDecision } from "./core/history/past-decision.ts";
import { type PromptMessage, pathsOf } from "./core/prompt-message.ts";
import { Reviews } from "./core/reviews.ts";
import { Sessions } from "./core/sessions.ts";
import { createSharing, type Sharing } from "./core/sharing/sharing.ts";
import { type OpenTurns, Turns } from "./core/turns.ts";
import { messageOf } from "./system/error-message.ts";
import { commentsFolder, editsFolder, type Host, historyFolder, systemHost } from "./system/host.ts";
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

/** The decisions of this user, of every companion. */
export interface DecisionHistory {
  /** Newest first, without their texts. */
  list(): readonly ScannedDecision[];
  /** @returns undefined when there is none of this id */
  read(id: string): PastDecision | undefined;
  /** @returns the id of the decision on a proposal of this companion; undefined when it is none of the last ones */
  idOf(proposalId: string): string | undefined;
}

/** A companion that runs. */
export interface Companion {
  /** Where agents that use a port connect; 0 when none of them does. */
  readonly port: number;
  /** Variables for the editor's terminals. They hold a token: keep them out of logs. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute paths. */
  readonly discoveryFiles: readonly string[];
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
export async function startServing(options: ServingOptions): Promise<Companion> {
  const { editor, agents, families = allFamilies, trusted, agentAccept, host = systemHost() } = options;
  const events = createEventHub(options.onEvent ?? (() => {}));
  const { emit: onEvent } = events;
  let roots = [...options.roots];
  const sharing = options.sharing ?? createSharing({ host, roots: () => roots });
  const context = createContextFeed({ sharing, ...(trusted && { trusted }) });
  const stopSharing = sharing.onChange(context.refresh);
  context.onWithheld((withheld, { isPaused: wasPaused }) =>
    onEvent({ kind: "sharing-changed", withheld, wasPaused }),
  );
  const edits = new EditsStore({
    folder: openEditsFolder(editsFolder(host)),
    onChange: () => onEvent({ kind: "edits-changed" }),
    onWarning: (message) => onEvent({ kind: "warning", message }),
  });
  const comments = new CommentsStore({
    folder: openCommentsFolder(commentsFolder(host)),
    onChange: () => onEvent({ kind: "comments-changed" }),
    onWarning: (message) => onEvent({ kind: "warning", message }),
  });
  const history = new History({
    folder: openHistoryFolder(historyFolder(host)),
    sharing,
    onWarning: (message) => onEvent({ kind: "warning", message }),
  });
  events.subscribe((event) => history.take(event));
  const delivery = new CommentsDelivery({
    store: comments,
    prompt: (sessionId, message) => sessions.prompt(sessionId, message),
    onEvent,
  });
  events.subscribe((event) => delivery.take(event));
  const reviews = new Reviews({
    editor,
    edits,
    delivery,
    onEvent,
    roots: () => roots,
    ...(agentAccept && { agentAccept }),
  });
  const turns = new Turns({ accept: reviews.acceptAhead.bind(reviews), sharing, roots: () => roots });
  events.subscribe((event) => turns.take(event));
  const sessions = new Sessions({ reviews, onEvent, onPrompt: (id) => turns.end(id) });
  const core: Core = { version, editor, context, reviews, sessions, sharing, events, roots: () => roots };
  const served: ServedFamily[] = [];
  const failures: unknown[] = [];
  /** By an agent that the user wants. */
  let isFound = false;
  const starting = families.flatMap((family) => {
    const wanted = family.agents.filter((agent) => agents?.includes(agent) ?? true);
    if (wanted.length === 0 && !family.servesOwnClients) return [];
    const isWanted = wanted.length > 0;
    return [async () => ({ one: await family.serve(wanted, core, host), isWanted })];
  });
  // The first has a port for most agents, which is not to open later because of the others.
  const first = await Promise.allSettled(starting.slice(0, 1).map((start) => start()));
  const others = await Promise.allSettled(starting.slice(1).map((start) => start()));
  for (const start of [...first, ...others]) {
    if (start.status === "rejected") failures.push(start.reason);
    else {
      const { one, isWanted } = start.value;
      served.push(one);
      isFound ||= isWanted && one.files.length > 0;
    }
  }
  // One that no agent finds by a file shows no diffs: alone it is not worth a start that has otherwise failed.
  if (failures.length > 0 && !isFound) {
    for (const family of served) family.removeFiles();
    await Promise.all(served.map((family) => family.close()));
    stopSharing();
    if (options.sharing === undefined) sharing.close();
    context.close();
    throw failures[0];
  }
  // The others are served all the same.
  for (const error of failures) onEvent({ kind: "warning", message: messageOf(error) });
  const removeFiles = () => {
    for (const family of served) family.removeFiles();
  };
  // Also when the process ends without a word, as after an uncaught error.
  const leave = () => {
    removeFiles();
    edits.flush();
    comments.flush();
    history.flush();
  };
  process.on("exit", leave);
  const stopListening = editor.onContext((latest) => context.update(latest));
  // From before the start: what is withheld, the user sees from the beginning.
  if (sharing.isPaused) onEvent({ kind: "sharing-changed", withheld: context.withheld, wasPaused: false });
  let closing: Promise<void> | undefined;

  async function shutDown(): Promise<void> {
    removeFiles();
    stopListening();
    stopSharing();
    // One that was given to us is somebody else's to close.
    if (options.sharing === undefined) sharing.close();
    context.close();
    turns.close();
    // An editor that does not answer must not keep its CLIs waiting.
    await Promise.race([reviews.shutDown(), deadline(patience)]);
    reviews.end();
    edits.close();
    comments.close();
    process.off("exit", leave);
    await Promise.all(served.map((family) => family.close()));
    await Promise.race([history.known, deadline(patience)]);
    history.flush();
  }

  /** Comments that are on their way, by id: asked for twice, they are typed once. */
  const sending = new Map<string, Promise<string | undefined>>();

  async function sendComments(id: string): Promise<string | undefined> {
    const waiting = comments.read(id);
    const agent = waiting && (await sessions.promptAny(waiting.agent, waiting));
    if (agent !== undefined) comments.discard(id);
    return agent;
  }

  return {
    port: served.find(({ port }) => port !== undefined)?.port ?? 0,
    get env() {
      return Object.assign({}, ...served.map((family) => family.env));
    },
    get discoveryFiles() {
      return served.flatMap(({ files }) => files);
    },
    edits,
    comments,
    sendComments(id) {
      const sent = sending.get(id) ?? sendComments(id).finally(() => sending.delete(id));
      sending.set(id, sent);
      return sent;
    },
    history,
    turns,
    async send(message, { mayType } = {}) {
      if (sharing.isPaused) return { kind: "paused" };
      for (const path of pathsOf(message)) if (await sharing.check(path)) return { kind: "excluded", path };
      const reached = await sessions.send(message, mayType);
      if (reached && "agent" in reached) return { kind: "sent", agent: reached.agent };
      return { kind: "unreached", ...reached };
    },
    async setRoots(newRoots) {
      roots = [...newRoots];
      sharing.refresh();
      for (const family of served) family.rewriteFiles();
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
