import type { ReadonlySignal } from "@preact/signals";
import { loadLanguage } from "../editor/syntax.ts";
import type { Paths } from "../text/paths.ts";
import type { Announcer } from "./announcer.ts";
import type { Api } from "./api.ts";
import type { Attention } from "./attention.ts";
import type { KeptEditsShelf } from "./kept-edits.ts";
import type { KeyHold } from "./key-hold.ts";
import { createProposalReview, type ProposalReview } from "./proposal-review.ts";
import { type Tab, type Tabs, tabId } from "./tabs.ts";
import type { Toasts } from "./toasts.ts";
import { isDragging, isWriting } from "./user-focus.ts";
import type { JournalEntry, PageMessage, ProposalSummary } from "./wire.ts";

/** The proposals that this page has to do with: opens them, decides on them, sees them off. */
export interface ProposalDesk {
  open(id: string): void;
  /** The review of a waiting proposal; begins it if need be. */
  review(id: string): ProposalReview | undefined;
  find(id: string): ProposalReview | undefined;
  accept(id: string): void;
  reject(id: string): void;
  /** Closes a tab. To close a proposal is to reject it; one that holds the user's edits asks first. */
  dismiss(tab: Tab): void;
  welcomed(instance: string): void;
  listed(proposals: readonly ProposalSummary[]): void;
  journalReceived(entries: readonly JournalEntry[]): void;
  refused(id: string, reason: string): void;
  changedOnDisk(path: string, stamp: string | undefined): void;
  flush(id: string): void;
  flushAll(): void;
  hasUnsent(): boolean;
  disconnected(): void;
}

export interface ProposalDeskOptions {
  readonly paths: ReadonlySignal<Paths>;
  readonly api: Api;
  readonly send: (message: PageMessage) => boolean;
  readonly tabs: Tabs;
  readonly kept: KeptEditsShelf;
  readonly attention: Attention;
  readonly toasts: Toasts;
  readonly announcer: Announcer;
  readonly isSheetOpen: ReadonlySignal<boolean>;
  readonly keyHold: KeyHold;
}

export function createProposalDesk(options: ProposalDeskOptions): ProposalDesk {
  const { paths, api, send, tabs, kept, attention, toasts, announcer, isSheetOpen, keyHold } = options;
  const reviews = new Map<string, ProposalReview>();
  const summaries = new Map<string, ProposalSummary>();
  /** Decided here and not yet in the journal: their outcome is no news. */
  const decided = new Map<string, ProposalSummary>();
  let knownEntries: ReadonlySet<string> | undefined;
  let instance: string | undefined;
  let isFirstList = true;
  let isAfterBreak = false;

  function open(id: string): void {
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
    reviews.set(id, fresh);
    return fresh;
  }

  function decide(id: string, message: PageMessage): void {
    const one = reviews.get(id);
    const summary = summaries.get(id);
    if (!one || !summary) return;
    one.refusal.value = undefined;
    one.isDeciding.value = send(message);
    if (one.isDeciding.value) decided.set(id, summary);
    else one.refusal.value = "The companion cannot be reached: decide again when the connection is back.";
  }

  const reject = (id: string) => decide(id, { type: "reject", id });

  function dismiss(tab: Tab): void {
    if (tab.kind !== "proposal") tabs.close(tab.id);
    else if (reviews.get(tab.proposalId)?.hasEdits()) askToReject(tab.proposalId);
    else reject(tab.proposalId);
  }

  function askToReject(id: string): void {
    const text = `To close the change of ${summaries.get(id)?.label} is to reject it, with your edits.`;
    const action = { label: "Reject it", run: () => reject(id) };
    toasts.show({ level: "warning", text, subject: id, action });
  }

  function welcomed(nextInstance: string): void {
    if (instance !== undefined && instance !== nextInstance) keepWhatTheDoorForgot();
    instance = nextInstance;
  }

  /** The companion was restarted: what it held is gone, this page's edits are not. */
  function keepWhatTheDoorForgot(): void {
    for (const [id, one] of reviews) {
      const [summary, text] = [summaries.get(id), one.text()];
      if (summary && text !== undefined && one.hasEdits()) {
        const { agent, filePath, label } = summary;
        kept.keep({ id, agent, filePath, label, reason: "the companion was restarted" }, text);
      }
      conclude(id);
    }
    summaries.clear();
    knownEntries = undefined;
  }

  function listed(proposals: readonly ProposalSummary[]): void {
    const ids = new Set(proposals.map(({ id }) => id));
    const fresh = proposals.filter(({ id }) => !summaries.has(id));
    for (const proposal of proposals) summaries.set(proposal.id, proposal);
    const inFront = tabs.active.value;
    const hasDecided =
      inFront?.kind === "proposal" && !ids.has(inFront.proposalId) && decided.has(inFront.proposalId);
    for (const id of [...summaries.keys()].filter((known) => !ids.has(known))) {
      reviews.get(id)?.flush(); // too late for the agent, but the journal keeps it
      conclude(id);
      summaries.delete(id);
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
    toasts.retract(id);
    tabs.close(tabId({ kind: "proposal", proposalId: id }));
  }

  function arrive(proposal: ProposalSummary): void {
    const { id, agent, label } = proposal;
    announcer.say(`${agent} proposes a change of ${label}.`);
    attention.announce(proposal, () => open(id));
    const isFree = tabs.active.value === undefined || tabs.active.value.kind === "file";
    if (isFree && !isWriting() && !isDragging() && !isSheetOpen.value) {
      open(id);
    } else if (!isFirstList) {
      const action = { label: "Review it", run: () => open(id) };
      toasts.show({ level: "info", text: `${agent} proposes a change of ${label}.`, subject: id, action });
    }
  }

  function journalReceived(entries: readonly JournalEntry[]): void {
    const fresh = knownEntries ? entries.filter(({ id }) => !knownEntries?.has(id)) : [];
    knownEntries = new Set(entries.map(({ id }) => id));
    for (const entry of fresh) {
      const { label, text, hasUnsavedEdits } = entry;
      announcer.say(`${label}: ${text}.`);
      const isOwn = takeOwn(entry);
      // Our own decisions are seen anyway, and kept edits have a card.
      if (!isOwn && !hasUnsavedEdits) toasts.show({ level: "info", text: `${label}: ${text}.` });
    }
  }

  function takeOwn({ agent, filePath }: JournalEntry): boolean {
    for (const [id, proposal] of decided) {
      if (proposal.agent === agent && proposal.filePath === filePath) return decided.delete(id);
    }
    return false;
  }

  return {
    open,
    review,
    find: (id) => reviews.get(id),
    accept: (id) => {
      const text = reviews.get(id)?.text();
      if (text !== undefined) decide(id, { type: "accept", id, text });
    },
    reject,
    dismiss,
    welcomed,
    listed,
    journalReceived,
    refused: (id, reason) => {
      decided.delete(id);
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
      for (const [id, one] of reviews) if (summaries.get(id)?.filePath === path) one.changedOnDisk(stamp);
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
