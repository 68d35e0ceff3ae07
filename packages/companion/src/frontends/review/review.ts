import type { Sent } from "../../companion.ts";
import type { Comments } from "../../core/comments/comment.ts";
import type { Editor, EditorContext, Proposal } from "../../core/editor.ts";
import type { Edits } from "../../core/edits/recovered-edits.ts";
import type { CompanionEvent, Settlement } from "../../core/events.ts";
import type { History as PastDecisions } from "../../core/history/history.ts";
import type { Later } from "../../core/history/past-decision.ts";
import type { PromptMessage } from "../../core/prompt-message.ts";
import type { Sharing } from "../../core/sharing/sharing.ts";
import type { Turns } from "../../core/turns.ts";
import { rootOf } from "../../files/workspace-path.ts";
import { messageOf } from "../../system/error-message.ts";
import { type SendAnswer, sendMessage } from "../send-message.ts";
import { createConnectedClis } from "./connected-clis.ts";
import type { Subjects } from "./conversation.ts";
import { earlierEntries, earlierTexts } from "./earlier-decisions.ts";
import { createEditsList, type EditsList } from "./edits-list.ts";
import { createFileWatch, type FileWatch } from "./file-watch.ts";
import type { HeldProposal } from "./held-proposal.ts";
import { createHistory, type History, type HistoryFigures } from "./history.ts";
import { createPages, type Page } from "./page.ts";
import { createPageState, type PageState } from "./page-state.ts";
import { ProposalStore } from "./proposal-store.ts";
import type { EditsSummary, FrontendMessage, ProposalSummary, TurnSummary } from "./protocol.ts";
import { createReviewEditor } from "./review-editor.ts";
import { type CommentsList, createCommentsList, describeComments } from "./waiting-comments.ts";

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
  readonly history: Pick<PastDecisions, "list" | "read" | "idOf" | "note">;
  readonly turns: Pick<Turns, "list" | "nameOf" | "onChange" | "acceptRest" | "stop">;
  send(message: PromptMessage): Promise<Sent>;
}

/** Everything the pages share: what waits, what was decided, who is connected, what the page shows. */
export class Review implements Subjects {
  readonly pages = createPages();
  readonly store: ProposalStore;
  readonly history: History;
  readonly edits: EditsList;
  readonly comments: CommentsList;
  readonly pageState: PageState;
  readonly watch: FileWatch;
  readonly editor: Editor;
  readonly #options: ReviewOptions;
  readonly #clis = createConnectedClis();
  readonly #unseen: UnseenFigures;
  /** Both are made when they are sent: pages put lists off while much is proposed and decided. */
  readonly #historyMessage: FrontendMessage;
  readonly #turnsMessage: FrontendMessage;
  #companion: PageCompanion | undefined;
  #stopTurns = () => {};
  #hasReadEarlier = false;

  constructor(options: ReviewOptions) {
    const { instance, roots, stampOf } = options;
    const { pages } = this;
    this.#options = options;
    const contextListeners = new Set<(context: EditorContext) => void>();
    this.pageState = createPageState({
      onChange: (context) => {
        for (const listener of contextListeners) listener(context);
      },
    });
    const history = createHistory({ onChange: () => pages.send(this.#historyMessage) });
    this.history = history;
    this.#historyMessage = {
      type: "history",
      get entries() {
        return history.entries;
      },
    };
    const listTurns = () => this.#listTurns();
    this.#turnsMessage = {
      type: "turns",
      get turns() {
        return listTurns();
      },
    };
    this.#unseen = createUnseenFigures(history);
    this.edits = createEditsList({
      roots,
      send: (message) => {
        if (message.type === "edits") this.#forgetEdits(message.edits);
        pages.send(message);
      },
    });
    this.comments = createCommentsList({ roots, send: (message) => pages.send(message) });
    this.store = new ProposalStore({
      instance,
      roots,
      onChange: () => pages.send({ type: "proposals", proposals: this.store.summaries }),
    });
    this.watch = createFileWatch({
      stampOf,
      onChange: (path, stamp, owners) => pages.send({ type: "changed", path, stamp }, { only: owners }),
    });
    const { store, pageState } = this;
    this.editor = createReviewEditor({ pages, store, pageState, contextListeners, roots });
  }

  pause(isPaused: boolean): void {
    try {
      this.#options.sharing?.pause(isPaused);
    } catch (error) {
      const reason = messageOf(error);
      this.pages.notify("warning", `This is not remembered for the next start: ${reason}`);
    }
  }

  send(message: PromptMessage): Promise<SendAnswer> {
    const roots = this.#options.roots();
    const [first] = message.mentions ?? [];
    const folder = first && rootOf(first.path, roots);
    return sendMessage(this.#companion, message, { roots, ...(folder !== undefined && { folder }) });
  }

  acceptRest(turn: string, stopAt: readonly string[]): void {
    this.#companion?.turns.acceptRest(turn, stopAt);
  }

  readonly noteLater = (entryId: string, later: Later): void => {
    const past = this.#companion?.history;
    const proposalId = this.history.noteLater(entryId, later);
    const id = proposalId === undefined ? entryId : past?.idOf(proposalId);
    if (id !== undefined) past?.note(id, later);
  };

  stopAccepting(turn: string): void {
    this.#companion?.turns.stop(turn);
  }

  async sendComments(id: string): Promise<string | undefined> {
    return this.#companion?.sendComments(id);
  }

  readonly onEvent = (event: CompanionEvent): void => {
    const { pages, history, edits, comments, store } = this;
    const news = this.#clis.take(event);
    if (news) pages.send(news);
    if (event.kind === "warning") pages.notify("warning", event.message);
    if (event.kind === "diff-settled") this.#settle(event.proposal, event.settlement);
    if (event.kind === "file-checked") history.noteFile(store.wireId(event.proposal.id), event.result);
    if (event.kind === "edits-recovered") history.noteEdits(store.wireId(event.proposal.id), event.edits.id);
    if (event.kind === "edits-changed") edits.announce();
    if (event.kind === "comments-changed") comments.announce();
    const said = describeComments(event, (id) => store.wireId(id));
    if (said) pages.send(said);
  };

  useCompanion(companion: PageCompanion): void {
    const { pages } = this;
    this.#companion = companion;
    this.edits.use(companion.edits);
    this.#stopTurns();
    this.#stopTurns = companion.turns.onChange(() => pages.send(this.#turnsMessage));
    pages.send(this.#turnsMessage);
    this.comments.use(companion.comments);
    if (pages.count > 0) this.#readEarlier(companion);
  }

  /** A page has opened. */
  greet(page: Page, welcome: FrontendMessage): void {
    page.send(welcome);
    page.send(this.#clis.sessions);
    page.send({ type: "proposals", proposals: this.store.summaries });
    page.send(this.#turnsMessage);
    page.send(this.#historyMessage);
    page.send(this.#clis.context);
    void this.edits.summaries().then((list) => page.send({ type: "edits", edits: list }));
    void this.comments.all().then((list) => page.send({ type: "waiting-comments", comments: list }));
    this.pages.add(page);
    if (this.#companion) this.#readEarlier(this.#companion);
    this.watch.run(true);
  }

  /** A page's socket is closed. */
  leave(page: Page): void {
    this.pages.remove(page);
    this.store.release(page);
    this.pageState.leave(page);
    this.watch.forget(page);
    this.watch.run(this.pages.count > 0);
  }

  close(): void {
    this.#stopTurns();
    this.pageState.close();
    this.#unseen.close();
    this.watch.run(false);
  }

  /** Once, and not before somebody looks: the files are many. */
  #readEarlier({ history: past }: PageCompanion): void {
    if (this.#hasReadEarlier) return;
    this.#hasReadEarlier = true;
    // Those of this run are there as well.
    const known = new Set(this.history.proposalIds.map((id) => past.idOf(id)));
    void earlierEntries(past, this.#options.roots()).then((entries) => {
      const others = entries.filter(({ id }) => !known.has(id));
      this.history.useEarlier(others, (id) => earlierTexts(past.read(id)));
    });
  }

  #forgetEdits(there: readonly EditsSummary[]): void {
    const ids = new Set(there.map(({ id }) => id));
    this.history.forgetEdits((id) => ids.has(id));
  }

  #listTurns(): readonly TurnSummary[] {
    return (this.#companion?.turns.list ?? []).map(({ id, agent, decided, waiting, ahead }) => ({
      ...{ id, agent, decided, waiting: waiting.map((one) => this.store.wireId(one)) },
      ...(ahead && { ahead }),
    }));
  }

  #settle(proposal: Proposal, settlement: Settlement): void {
    const { store, history } = this;
    const held = store.conclude(proposal.id);
    const figures = held ? figuresOf(held.summary) : { label: proposal.filePath };
    const { draft = proposal.newContent, saveDraft, saveComments } = held ?? {};
    const before = proposal.base;
    const wireId = store.wireId(proposal.id);
    const turn = this.#companion?.turns.nameOf(proposal.sessionId);
    const settled = { proposal, settlement, wireId, draft, saveDraft, saveComments, before, figures, turn };
    const entry = history.record(settled);
    if (held && !held.isReady) this.#unseen.add(entry, held);
    // The last edits may not have been counted yet.
    else void held?.counted().then((summary) => history.correct(entry, figuresOf(summary)));
  }
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
