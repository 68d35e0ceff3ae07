import type { ReadonlySignal } from "@preact/signals";
import { loadLanguage } from "../editor/syntax.ts";
import type { Wording } from "../language/language.ts";
import type { Paths } from "../text/paths.ts";
import type { Api, HistoryEntry, PageMessage, ProposalSummary } from "./api.ts";
import type { KeyHold } from "./key-guard.ts";
import type { Announcer, Attention } from "./notifier.ts";
import { createProposalReview, type ProposalReview } from "./proposal-review.ts";
import type { RecoveredEditsStore } from "./recovered-edits.ts";
import { type Tab, type Tabs, tabId } from "./tabs.ts";
import { createGroupedNotice, type Toasts } from "./toasts.ts";
import { isDragging, isWriting } from "./user-focus.ts";

/** The proposals that this page has to do with: opens them, decides on them, sees them off. */
export interface ProposalController {
  open(id: string): void;
  /** The review of a waiting proposal; begins it if need be. */
  review(id: string): ProposalReview | undefined;
  find(id: string): ProposalReview | undefined;
  accept(id: string): void;
  reject(id: string): void;
  /** Closes a tab. To close a proposal is to reject it; one that holds the user's edits asks first. */
  dismiss(tab: Tab): void;
  /** Lets the user edit a proposal here that another page edits. */
  editHere(id: string): void;
  draftRefused(id: string, revision: number, text: string): void;
  /** @param page this page's name */
  welcomed(instance: string, page: string): void;
  listed(proposals: readonly ProposalSummary[]): void;
  historyReceived(entries: readonly HistoryEntry[]): void;
  refused(id: string, reason: string): void;
  changedOnDisk(path: string, stamp: string | undefined): void;
  flush(id: string): void;
  flushAll(): void;
  hasUnsent(): boolean;
  disconnected(): void;
}

export interface ProposalControllerOptions {
  readonly paths: ReadonlySignal<Paths>;
  readonly api: Api;
  readonly send: (message: PageMessage) => boolean;
  readonly tabs: Tabs;
  readonly recovered: RecoveredEditsStore;
  readonly attention: Attention;
  readonly toasts: Toasts;
  readonly announcer: Announcer;
  readonly isSheetOpen: ReadonlySignal<boolean>;
  readonly keyHold: KeyHold;
  readonly wording: Pick<Wording, "t" | "tell" | "tellOf">;
  /** The companion is there, and does not hang: a decision reaches it now. */
  readonly isAnswering: () => boolean;
}

export function createProposalController(options: ProposalControllerOptions): ProposalController {
  const {
    paths,
    api,
    send,
    tabs,
    recovered,
    attention,
    toasts,
    announcer,
    isSheetOpen,
    keyHold,
    isAnswering,
  } = options;
  const { t, tell, tellOf } = options.wording;
  const reviews = new Map<string, ProposalReview>();
  const summaries = new Map<string, ProposalSummary>();
  /** Decided here and still in the list. */
  const decided = new Set<string>();
  /** Decided here and not yet in the history, which may come before the list or after it: their outcome is no news. */
  const unreported = new Set<string>();
  let knownEntries: ReadonlySet<string> | undefined;
  let instance: string | undefined;
  let ownPage: string | undefined;
  let isFirstList = true;
  let isAfterBreak = false;
  const arrivals = createGroupedNotice<ProposalSummary>({
    toasts,
    subject: "arrivals",
    word: ([first, ...others]) => ({
      text: others.length === 0 ? arrivalText(first) : t("$1 changes wait for you.", others.length + 1),
      action: {
        label: t(others.length === 0 ? "Review it" : "Review the first"),
        run: () => open(first.id),
      },
    }),
  });
  const outcomes = createGroupedNotice<HistoryEntry>({ toasts, subject: "outcomes", word: wordOutcomes });

  function arrivalText({ agent, label }: ProposalSummary): string {
    return t("$1 proposes a change of $2.", agent, label);
  }

  function outcomeOf({ text, agent }: HistoryEntry): string {
    return tellOf(agent, text);
  }

  function wordOutcomes([first, ...others]: readonly [HistoryEntry, ...HistoryEntry[]]) {
    const text = outcomeOf(first);
    if (others.length === 0) return { text: t("$1: $2.", first.label, text) };
    const count = others.length + 1;
    const isSame = others.every((entry) => outcomeOf(entry) === text);
    return {
      text: isSame ? t("$1 changes: $2.", count, text) : t("$1 changes were decided or closed.", count),
    };
  }

  function open(id: string): void {
    arrivals.remove(id);
    toasts.retract(id);
    tabs.open({ kind: "proposal", proposalId: id });
  }

  function review(id: string): ProposalReview | undefined {
    const known = reviews.get(id);
    const summary = summaries.get(id);
    if (known || !summary) return known;
    const { filePath, label } = summary;
    const prepare = () => loadLanguage(paths.value.baseName(label));
    const fresh = createProposalReview({ id, filePath, api, send, prepare });
    fresh.isElsewhere.value = isElsewhere(summary);
    reviews.set(id, fresh);
    return fresh;
  }

  function isElsewhere({ editedIn }: ProposalSummary): boolean {
    return editedIn !== undefined && editedIn !== ownPage;
  }

  function decide(id: string, message: PageMessage): void {
    const one = reviews.get(id);
    if (!one) return;
    one.refusal.value = undefined;
    // Nobody wants a decision to count minutes later.
    one.isDeciding.value = isAnswering() && send(message);
    if (!one.isDeciding.value) {
      one.refusal.value = t("The companion cannot be reached: decide again when the connection is back.");
      return;
    }
    decided.add(id);
    unreported.add(id);
    const next = [...summaries.keys()].find((other) => !decided.has(other));
    if (next !== undefined) review(next); // its texts are here when it opens
  }

  const reject = (id: string) => decide(id, { type: "reject", id });

  function dismiss(tab: Tab): void {
    if (tab.kind !== "proposal") tabs.close(tab.id);
    else if (reviews.get(tab.proposalId)?.hasEdits()) askToReject(tab.proposalId);
    else reject(tab.proposalId);
  }

  function askToReject(id: string): void {
    const label = summaries.get(id)?.label ?? "";
    const text = t("Closing the change of $1 rejects it, with your edits.", label);
    const action = { label: t("Reject it"), run: () => reject(id) };
    toasts.show({ level: "warning", text, subject: id, action });
  }

  function keepEdits(id: string, text: string, reason: string): void {
    const summary = summaries.get(id);
    const loaded = reviews.get(id)?.loaded.value;
    if (!summary || loaded?.state !== "ready") return;
    const { agent, filePath, label } = summary;
    recovered.keep({ agent, filePath, label, reason, proposed: loaded.texts.proposed, text });
  }

  function draftRefused(id: string, revision: number, text: string): void {
    const mine = reviews.get(id)?.draftRefused(revision, text);
    if (mine !== undefined) keepEdits(id, mine, "The change was being edited in another tab.");
  }

  function welcomed(nextInstance: string, page: string): void {
    ownPage = page;
    if (instance !== undefined && instance !== nextInstance) keepWhatTheFrontendForgot();
    instance = nextInstance;
  }

  /** The companion was restarted: what it held is gone, this page's edits are not. */
  function keepWhatTheFrontendForgot(): void {
    for (const [id, one] of reviews) {
      const text = one.text();
      if (text !== undefined && one.hasEdits())
        keepEdits(id, text, "The companion was restarted before you decided.");
      conclude(id);
    }
    summaries.clear();
    decided.clear();
    unreported.clear();
    knownEntries = undefined;
  }

  function listed(proposals: readonly ProposalSummary[]): void {
    const ids = new Set(proposals.map(({ id }) => id));
    const fresh = proposals.filter(({ id }) => !summaries.has(id));
    for (const proposal of proposals) {
      summaries.set(proposal.id, proposal);
      const one = reviews.get(proposal.id);
      if (one) one.isElsewhere.value = isElsewhere(proposal);
    }
    const inFront = tabs.active.value;
    const hasDecided =
      inFront?.kind === "proposal" && !ids.has(inFront.proposalId) && decided.has(inFront.proposalId);
    for (const id of [...summaries.keys()].filter((known) => !ids.has(known))) {
      reviews.get(id)?.flush(); // too late for the agent, but the history keeps it
      conclude(id);
      summaries.delete(id);
      decided.delete(id);
    }
    if (isAfterBreak) for (const one of reviews.values()) void one.reconnected();
    isAfterBreak = false;
    for (const proposal of fresh) arrive(proposal);
    isFirstList = false;
    const next = proposals[0];
    // Who has just decided goes on with the next one.
    if (hasDecided && next && tabs.active.value?.kind !== "proposal") open(next.id);
  }

  function conclude(id: string): void {
    const inFront = tabs.active.value;
    const isInFront = inFront?.kind === "proposal" && inFront.proposalId === id;
    if (isInFront && isWriting() && !decided.has(id)) keyHold.begin();
    reviews.get(id)?.stop();
    reviews.delete(id);
    arrivals.remove(id);
    toasts.retract(id);
    tabs.close(tabId({ kind: "proposal", proposalId: id }));
  }

  function arrive(proposal: ProposalSummary): void {
    const { id } = proposal;
    announcer.say(arrivalText(proposal));
    attention.announce(proposal, () => open(id));
    const isFree = tabs.active.value === undefined || tabs.active.value.kind === "file";
    if (isFree && !isWriting() && !isDragging() && !isSheetOpen.value) {
      open(id);
    } else if (!isFirstList) {
      arrivals.add(id, proposal);
    }
  }

  function historyReceived(entries: readonly HistoryEntry[]): void {
    const fresh = knownEntries ? entries.filter(({ id }) => !knownEntries?.has(id)) : [];
    knownEntries = new Set(entries.map(({ id }) => id));
    for (const entry of fresh) {
      const { label, editsId, proposalId } = entry;
      announcer.say(t("$1: $2.", label, outcomeOf(entry)));
      const isOwn = unreported.delete(proposalId);
      // Our own decisions are seen anyway, and recovered edits have a card.
      if (!isOwn && editsId === undefined) outcomes.add(entry.id, entry);
    }
  }

  return {
    open,
    review,
    find: (id) => reviews.get(id),
    accept: (id) => {
      const one = reviews.get(id);
      const text = one?.text();
      if (one && text !== undefined) decide(id, { type: "accept", id, revision: one.revision, text });
    },
    reject,
    dismiss,
    editHere: (id) => send({ type: "edit", id }),
    draftRefused,
    welcomed,
    listed,
    historyReceived,
    refused: (id, refusal) => {
      const reason = tell(refusal);
      decided.delete(id);
      unreported.delete(id);
      const one = reviews.get(id);
      announcer.say(reason);
      if (!one) {
        toasts.show({ level: "warning", text: reason });
        return;
      }
      one.isDeciding.value = false;
      one.refusal.value = reason;
    },
    changedOnDisk: (path, stamp) => {
      for (const [id, one] of reviews)
        if (summaries.get(id)?.filePath === path) void one.changedOnDisk(stamp);
    },
    flush: (id) => {
      reviews.get(id)?.flush();
      send({ type: "flushed", id });
    },
    flushAll: () => {
      for (const one of reviews.values()) one.flush();
    },
    hasUnsent: () => [...reviews.values()].some(({ isUnsent }) => isUnsent),
    disconnected: () => {
      isAfterBreak = true;
      for (const one of reviews.values()) {
        one.isDeciding.value = false;
        one.disconnected();
      }
    },
  };
}
