import type { Sent } from "../../companion.ts";
import type { Comments } from "../../core/comments/comment.ts";
import type { Editor, EditorContext, Proposal } from "../../core/editor.ts";
import type { Edits } from "../../core/edits/recovered-edits.ts";
import type { CompanionEvent, OnCompanionEvent, Settlement } from "../../core/events.ts";
import type { History as PastDecisions } from "../../core/history/history.ts";
import type { PromptMessage } from "../../core/prompt-message.ts";
import type { Sharing } from "../../core/sharing/sharing.ts";
import type { Turns } from "../../core/turns.ts";
import { rootOf } from "../../files/workspace-path.ts";
import { messageOf } from "../../system/error-message.ts";
import { sendMessage } from "../send-message.ts";
import { createConnectedClis } from "./connected-clis.ts";
import type { Subjects } from "./conversation.ts";
import { earlierEntries, earlierTexts } from "./earlier-decisions.ts";
import { createEditsList } from "./edits-list.ts";
import { createFileWatch } from "./file-watch.ts";
import type { HeldProposal } from "./held-proposal.ts";
import { createHistory, type History, type HistoryFigures } from "./history.ts";
import { createPages, type Page } from "./page.ts";
import { createPageState } from "./page-state.ts";
import { createProposalStore } from "./proposal-store.ts";
import type { EditsSummary, FrontendMessage, ProposalSummary, TurnSummary } from "./protocol.ts";
import { createReviewEditor } from "./review-editor.ts";
import { createCommentsList, describeComments } from "./waiting-comments.ts";

export interface ReviewOptions {
  /** This run's id. */
  readonly instance: string;
  readonly roots: () => readonly string[];
  /** A file's stamp, as far as a page may know it. */
  readonly stampOf: (path: string) => Promise<string | undefined>;
  readonly sharing?: Pick<Sharing, "pause">;
}

/** What a page needs of its companion. */
export interface PageCompanion {
  readonly edits: Edits;
  readonly comments: Comments;
  sendComments(id: string): Promise<string | undefined>;
  readonly history: Pick<PastDecisions, "list" | "read" | "idOf">;
  readonly turns: Pick<Turns, "list" | "onChange" | "acceptRest" | "stop">;
  send(message: PromptMessage): Promise<Sent>;
}

/** Everything the pages share: what waits, what was decided, who is connected, what the page shows. */
export interface Review extends Subjects {
  readonly editor: Editor;
  readonly onEvent: OnCompanionEvent;
  useCompanion(companion: PageCompanion): void;
  /** A page has opened. */
  greet(page: Page, welcome: FrontendMessage): void;
  /** A page's socket is closed. */
  leave(page: Page): void;
  close(): void;
}

export function createReview({ instance, roots, stampOf, sharing }: ReviewOptions): Review {
  const contextListeners = new Set<(context: EditorContext) => void>();
  let companion: PageCompanion | undefined;
  let stopTurns = () => {};
  let hasReadEarlier = false;
  const pages = createPages();
  const clis = createConnectedClis();
  const pageState = createPageState({
    onChange: (context) => {
      for (const listener of contextListeners) listener(context);
    },
  });
  const history = createHistory({ onChange: () => pages.send(historyMessage) });
  // Both are made when they are sent: pages put lists off while much is proposed and decided.
  const historyMessage: FrontendMessage = {
    type: "history",
    get entries() {
      return history.entries;
    },
  };
  const turnsMessage: FrontendMessage = {
    type: "turns",
    get turns() {
      return listTurns();
    },
  };
  const unseen = createUnseenFigures(history);
  const edits = createEditsList({
    roots,
    send: (message) => {
      if (message.type === "edits") forgetEdits(message.edits);
      pages.send(message);
    },
  });
  const comments = createCommentsList({ roots, send: (message) => pages.send(message) });
  const originals = {};
  const store = createProposalStore({
    instance,
    roots,
    onChange: () => {
      watch.watch(originals, store.paths);
      pages.send({ type: "proposals", proposals: store.summaries });
    },
    onRead: (path, text) => watch.noteText(path, text),
  });
  const watch = createFileWatch({
    stampOf,
    onChange: (path, stamp, owners) => {
      const message: FrontendMessage = { type: "changed", path, stamp };
      pages.send(message, owners.includes(originals) ? {} : { only: owners });
    },
  });

  function pause(isPaused: boolean): void {
    try {
      sharing?.pause(isPaused);
    } catch (error) {
      const reason = messageOf(error);
      pages.notify("warning", `This is not remembered for the next start: ${reason}`);
    }
  }

  function onEvent(event: CompanionEvent): void {
    const news = clis.take(event);
    if (news) pages.send(news);
    if (event.kind === "warning") pages.notify("warning", event.message);
    if (event.kind === "diff-settled") settle(event.proposal, event.settlement);
    if (event.kind === "file-checked") history.noteFile(store.wireId(event.proposal.id), event.result);
    if (event.kind === "edits-recovered") history.noteEdits(store.wireId(event.proposal.id), event.edits.id);
    if (event.kind === "edits-changed") edits.announce();
    if (event.kind === "comments-changed") comments.announce();
    const said = describeComments(event, store.wireId);
    if (said) pages.send(said);
  }

  /** Once, and not before somebody looks: the files are many. */
  function readEarlier({ history: past }: PageCompanion): void {
    if (hasReadEarlier) return;
    hasReadEarlier = true;
    // Those of this run are there as well.
    const known = new Set(history.proposalIds.map((id) => past.idOf(id)));
    void earlierEntries(past, roots()).then((entries) => {
      const others = entries.filter(({ id }) => !known.has(id));
      history.useEarlier(others, (id) => earlierTexts(past.read(id)));
    });
  }

  function forgetEdits(there: readonly EditsSummary[]): void {
    const ids = new Set(there.map(({ id }) => id));
    history.forgetEdits((id) => ids.has(id));
  }

  function listTurns(): readonly TurnSummary[] {
    return (companion?.turns.list ?? []).map(({ id, agent, decided, waiting, ahead }) => ({
      ...{ id, agent, decided, waiting: waiting.map(store.wireId) },
      ...(ahead && { ahead }),
    }));
  }

  function settle(proposal: Proposal, settlement: Settlement): void {
    const held = store.conclude(proposal.id);
    const figures = held ? figuresOf(held.summary) : { label: proposal.filePath };
    const { draft = proposal.newContent, saveDraft, saveComments } = held ?? {};
    const before = proposal.base;
    const wireId = store.wireId(proposal.id);
    const settled = { proposal, settlement, wireId, draft, saveDraft, saveComments, before, figures };
    const entry = history.record(settled);
    if (held && !held.isReady) unseen.add(entry, held);
    // The last edits may not have been counted yet.
    else void held?.counted().then((summary) => history.correct(entry, figuresOf(summary)));
  }

  return {
    pages,
    store,
    history,
    edits,
    comments,
    pageState,
    watch,
    pause,
    send: (message) => {
      const [first] = message.mentions ?? [];
      const folder = first && rootOf(first.path, roots());
      return sendMessage(companion, message, { roots: roots(), ...(folder !== undefined && { folder }) });
    },
    acceptRest: (turn, stopAt) => companion?.turns.acceptRest(turn, stopAt),
    stopAccepting: (turn) => companion?.turns.stop(turn),
    sendComments: async (id) => companion?.sendComments(id),
    onEvent,
    useCompanion: (next) => {
      companion = next;
      edits.use(next.edits);
      stopTurns();
      stopTurns = next.turns.onChange(() => pages.send(turnsMessage));
      pages.send(turnsMessage);
      comments.use(next.comments);
      if (pages.count > 0) readEarlier(next);
    },
    editor: createReviewEditor({ pages, store, pageState, contextListeners, roots }),
    greet: (page, welcome) => {
      page.send(welcome);
      page.send(clis.sessions);
      page.send({ type: "proposals", proposals: store.summaries });
      page.send(turnsMessage);
      page.send(historyMessage);
      page.send(clis.context);
      void edits.summaries().then((list) => page.send({ type: "edits", edits: list }));
      void comments.all().then((list) => page.send({ type: "waiting-comments", comments: list }));
      pages.add(page);
      if (companion) readEarlier(companion);
      watch.run(true);
    },
    leave: (page) => {
      pages.remove(page);
      store.release(page);
      pageState.leave(page);
      watch.forget(page);
      watch.run(pages.count > 0);
    },
    close: () => {
      stopTurns();
      pageState.close();
      unseen.close();
      watch.run(false);
    },
  };
}

/** Milliseconds until they are counted: an agent that opens and closes many diffs at once has its answers first. */
const delay = 100;

/** Figures of proposals that ended before any page was shown them: the history has them a moment later. */
interface UnseenFigures {
  /** @param entry of the history */
  add(entry: string, held: HeldProposal): void;
  close(): void;
}

function createUnseenFigures(history: Pick<History, "correct" | "has">): UnseenFigures {
  const waiting = new Map<string, HeldProposal>();
  let timer: NodeJS.Timeout | undefined;

  async function countAll(): Promise<void> {
    const batch = [...waiting];
    waiting.clear();
    for (const [entry, held] of batch) {
      if (!history.has(entry)) continue;
      const summary = await held.counted();
      history.correct(entry, figuresOf(summary), held.original);
    }
    timer = undefined;
    if (waiting.size > 0) countSoon();
  }

  function countSoon(): void {
    timer ??= setTimeout(() => void countAll(), delay).unref();
  }

  return {
    add: (entry, held) => {
      waiting.set(entry, held);
      countSoon();
    },
    close: () => {
      clearTimeout(timer);
      waiting.clear();
    },
  };
}

function figuresOf({ label, added, removed }: ProposalSummary): HistoryFigures {
  return { label, ...(added !== undefined && { added }), ...(removed !== undefined && { removed }) };
}
