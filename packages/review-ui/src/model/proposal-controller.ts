import type { ReadonlySignal } from "@preact/signals";
import { type Notice, toSentence } from "../../../companion/src/core/sentences.ts";
import { loadLanguage } from "../editor/syntax.ts";
import type { Wording } from "../language/language.ts";
import type { Paths } from "../text/paths.ts";
import type { Api, PageMessage, ProposalSummary } from "./api.ts";
import type { KeyGuard } from "./key-guard.ts";
import type { Announcer, Notifier } from "./notifier.ts";
import { createProposalReview, type ProposalReview } from "./proposal-review.ts";
import type { RecoveredEditsStore } from "./recovered-edits.ts";
import { type Tab, type Tabs, tabId } from "./tabs.ts";
import { createProposalNotices, type Toasts } from "./toasts.ts";
import { isDragging, isWriting } from "./user-focus.ts";

export interface ProposalControllerOptions {
  readonly paths: ReadonlySignal<Paths>;
  readonly api: Api;
  readonly send: (message: PageMessage) => boolean;
  readonly tabs: Tabs;
  readonly recovered: RecoveredEditsStore;
  readonly notifier: Notifier;
  readonly toasts: Toasts;
  readonly announcer: Announcer;
  /** A dialog covers the page. */
  readonly isCovered: () => boolean;
  readonly keyGuard: KeyGuard;
  readonly wording: Pick<Wording, "t" | "translate">;
  /** Whether the companion is connected and answers. */
  readonly isAnswering: () => boolean;
}

/** Milliseconds in which a proposal that came to the front unasked cannot be decided. */
const surprise = 500;

/** Opens, decides and closes the proposals of this page. */
export type ProposalController = ReturnType<typeof createProposalController>;

export function createProposalController(options: ProposalControllerOptions) {
  const { paths, api, send, tabs, recovered, notifier } = options;
  const { toasts, announcer, isCovered, keyGuard, isAnswering } = options;
  const { t, translate } = options.wording;
  const reviews = new Map<string, ProposalReview>();
  const summaries = new Map<string, ProposalSummary>();
  /** Ids decided in this page that are still in the list. */
  const decided = new Set<string>();
  let instance: string | undefined;
  let ownPage: string | undefined;
  let isFirstList = true;
  let isAfterBreak = false;
  const notices = createProposalNotices({ toasts, announcer, wording: options.wording, open });

  function open(id: string): void {
    notices.arrivals.remove(id);
    toasts.retract(id);
    const one = reviews.get(id);
    if (one) one.isUnexpected.value = false;
    tabs.open({ kind: "proposal", subject: id });
  }

  function noteUnexpected(id: string): void {
    const one = review(id);
    if (!one) return;
    one.isUnexpected.value = true;
    setTimeout(() => {
      one.isUnexpected.value = false;
    }, surprise);
  }

  function review(id: string): ProposalReview | undefined {
    const known = reviews.get(id);
    const summary = summaries.get(id);
    if (known || !summary) return known;
    const { label, edited } = summary;
    const isReadOnly = cannotTakeEdits(id) && !edited;
    const prepare = () => loadLanguage(paths.value.baseName(label));
    const fresh = createProposalReview({ id, isReadOnly, api, send, prepare });
    fresh.isElsewhere.value = isElsewhere(summary);
    reviews.set(id, fresh);
    return fresh;
  }

  function cannotTakeEdits(id: string): boolean {
    return summaries.get(id)?.readOnlyReason !== undefined;
  }

  function isElsewhere({ editedIn }: ProposalSummary): boolean {
    return editedIn !== undefined && editedIn !== ownPage;
  }

  function decide(id: string, message: PageMessage): void {
    const one = reviews.get(id);
    if (!one || one.isDeciding.value) return;
    one.refusal.value = undefined;
    // A decision must not take effect minutes later.
    one.isDeciding.value = isAnswering() && send(message);
    if (!one.isDeciding.value) {
      one.refusal.value = t("The companion cannot be reached: decide again when the connection is back.");
      return;
    }
    decided.add(id);
    notices.noteDecided(id);
    const next = [...summaries.keys()].find((other) => !decided.has(other));
    if (next !== undefined) review(next); // loads its texts ahead
  }

  function accept(id: string): void {
    const one = reviews.get(id);
    const text = one?.text();
    if (!one || text === undefined) return;
    const ownVersion = cannotTakeEdits(id) && one.hasEdits();
    decide(id, {
      ...{ type: "accept", id, revision: one.revision, text },
      ...(ownVersion && { ownVersion }),
      ...one.comments.toDecision(),
    });
  }

  function reject(id: string): void {
    reviews.get(id)?.flush(); // the history has the edits, and some outlast a rejection
    decide(id, { type: "reject", id, ...reviews.get(id)?.comments.toDecision() });
  }

  function noteDecided(ids: readonly string[]): void {
    for (const id of ids) decided.add(id);
    for (const one of ids.flatMap((id) => reviews.get(id) ?? [])) one.isDeciding.value = true;
  }

  function editHere(id: string): void {
    const one = reviews.get(id);
    if (one && send({ type: "edit", id })) one.isReadOnly.value = false;
  }

  function dismiss(tab: Tab): void {
    tabs.close(tab.id);
    if (tab.kind !== "proposal") return;
    const { subject: id } = tab;
    const proposal = summaries.get(id);
    if (proposal && !decided.has(id)) notices.arrivals.add(id, proposal);
  }

  function recoverEdits(id: string, text: string, reason: string): void {
    const summary = summaries.get(id);
    const loaded = reviews.get(id)?.loaded.value;
    if (!summary || loaded?.state !== "ready") return;
    const { agent, filePath, label, openedAt } = summary;
    recovered.add({ agent, filePath, label, reason, proposed: loaded.texts.proposed, text, openedAt });
  }

  function draftRefused(id: string, revision: number, text: string): void {
    const mine = reviews.get(id)?.draftRefused(revision, text);
    if (mine !== undefined) recoverEdits(id, mine, "The change was being edited in another tab.");
  }

  function welcomed(nextInstance: string, page: string): void {
    ownPage = page;
    if (instance !== undefined && instance !== nextInstance) recoverAfterRestart();
    instance = nextInstance;
  }

  /** A restarted companion has lost the proposals. This page still has the user's edits and comments. */
  function recoverAfterRestart(): void {
    const reason = "companion-restarted";
    for (const [id, one] of reviews) {
      if (one.hasEdits()) recoverEdits(id, one.text() ?? "", reason);
      one.comments.keep(summaries.get(id), reason);
      conclude(id);
    }
    summaries.clear();
    decided.clear();
    notices.forget();
  }

  function listed(proposals: readonly ProposalSummary[]): void {
    const ids = new Set(proposals.map(({ id }) => id));
    const fresh = proposals.filter(({ id }) => !summaries.has(id));
    // The tabs of before a reload.
    for (const tab of isFirstList ? tabs.list.value : [])
      if (tab.kind === "proposal" && !ids.has(tab.subject)) tabs.close(tab.id);
    for (const proposal of proposals) {
      summaries.set(proposal.id, proposal);
      const one = reviews.get(proposal.id);
      if (one) one.isElsewhere.value = isElsewhere(proposal);
    }
    const inFront = tabs.active.value;
    const hasDecided =
      inFront?.kind === "proposal" && !ids.has(inFront.subject) && decided.has(inFront.subject);
    for (const id of [...summaries.keys()].filter((known) => !ids.has(known))) {
      reviews.get(id)?.flush(); // too late for the agent, but the history shows it
      conclude(id);
      summaries.delete(id);
      decided.delete(id);
    }
    if (isAfterBreak) for (const one of reviews.values()) void one.reconnected();
    isAfterBreak = false;
    for (const proposal of fresh) arrive(proposal);
    isFirstList = false;
    const next = proposals.find(({ id }) => !decided.has(id));
    // After a decision the next proposal opens.
    if (hasDecided && next && tabs.active.value?.kind !== "proposal") open(next.id);
  }

  function conclude(id: string): void {
    const inFront = tabs.active.value;
    const isCutOff = inFront?.kind === "proposal" && inFront.subject === id && !decided.has(id);
    if (isCutOff && isWriting()) keyGuard.start();
    reviews.get(id)?.stop();
    reviews.delete(id);
    notices.arrivals.remove(id);
    toasts.retract(id);
    tabs.close(tabId({ kind: "proposal", subject: id }));
    const next = tabs.active.value;
    if (isCutOff && next?.kind === "proposal") noteUnexpected(next.subject);
  }

  function arrive(proposal: ProposalSummary): void {
    const { id } = proposal;
    announcer.announce(notices.describeArrival(proposal));
    notifier.notify(proposal, () => open(id));
    const inFront = tabs.active.value;
    // After a reload, what was in front stays there.
    const isFree = inFront === undefined || (inFront.kind === "file" && !isFirstList);
    if (isFree && !isWriting() && !isDragging() && !isCovered()) {
      open(id);
      noteUnexpected(id);
    } else if (!isFirstList) {
      notices.arrivals.add(id, proposal);
    }
  }

  return {
    open,
    /** The review of a waiting proposal, created if necessary. */
    review,
    find: (id: string) => reviews.get(id),
    accept,
    reject,
    /** These have been decided by one message. */
    noteDecided,
    /** Closes a tab. A proposal waits on. */
    dismiss,
    /** Takes over a proposal that another page edits, or makes one editable whose agent cannot take edits. */
    editHere,
    draftRefused,
    /** @param page this page's name */
    welcomed,
    listed,
    historyReceived: notices.historyReceived,
    refused: (id: string, refusal: Notice) => {
      const reason = toSentence(refusal, translate);
      decided.delete(id);
      notices.noteRefused(id);
      const one = reviews.get(id);
      announcer.announce(reason);
      if (!one) {
        toasts.show({ level: "warning", text: reason });
        return;
      }
      one.isDeciding.value = false;
      one.refusal.value = reason;
    },
    /** There is more to say of a decision that counts. */
    noted: (notice: Notice) => toasts.say({ level: "info", text: toSentence(notice, translate) }),
    flush: (id: string) => {
      reviews.get(id)?.flush();
      send({ type: "flushed", id });
    },
    flushAll: () => {
      for (const one of reviews.values()) one.flush();
    },
    hasUnsent: () => [...reviews.values()].some(({ isUnsent }) => isUnsent),
    disconnected: () => {
      isAfterBreak = true;
      // Their decisions may not have arrived: until the next list, all wait.
      for (const id of decided) notices.noteRefused(id);
      decided.clear();
      for (const one of reviews.values()) one.disconnected();
    },
  };
}
