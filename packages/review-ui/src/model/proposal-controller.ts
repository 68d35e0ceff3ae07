import { signal } from "@preact/signals";
import { toSentence } from "../../../companion/src/core/sentences.ts";
import { loadLanguage } from "../editor/syntax.ts";
import type { PageMessage, ProposalSummary } from "./api.ts";
import type { Base } from "./base.ts";
import type { OwnDecisions } from "./own-decisions.ts";
import { createProposalNotices } from "./proposal-notices.ts";
import { ProposalReview } from "./proposal-review.ts";
import { type Tab, tabId } from "./tabs.ts";
import { isDragging, isWriting } from "./user-focus.ts";

interface ProposalControllerOptions extends Base {
  readonly own: OwnDecisions;
  /** Called with the id of a proposal that is decided with comments. */
  readonly noteSent: (id: string) => void;
  /** A dialog covers the page. */
  readonly isCovered: () => boolean;
  /** Goes to a change in a scroll of several. @returns false where its user reads one by one */
  readonly showInScroll: (id: string) => boolean;
}

type Decision = Extract<PageMessage, { readonly type: "diffAccepted" | "diffRejected" }>;

/** Milliseconds in which a proposal that came to the front unasked cannot be decided. */
const surprise = 500;

/** Opens, decides and closes the proposals of this page. */
export class ProposalController {
  readonly #options: ProposalControllerOptions;
  readonly notices: ReturnType<typeof createProposalNotices>;
  readonly #reviews = signal<ReadonlyMap<string, ProposalReview>>(new Map());
  /** Ids decided in this page that are still in the list. */
  readonly #decided = new Set<string>();
  #instance: string | undefined;
  #isFirstList = true;
  #isAfterBreak = false;

  constructor(options: ProposalControllerOptions) {
    this.#options = options;
    this.notices = createProposalNotices({ ...options, open: (id) => this.open(id) });
  }

  /** @param isAlone also where the user reads all in one scroll */
  open(id: string, { isAlone } = { isAlone: false }): void {
    const { tabs, toasts, showInScroll } = this.#options;
    this.notices.arrivals.remove(id);
    toasts.retract(id);
    const one = this.find(id);
    if (one) one.isUnexpected.value = false;
    if (isAlone || !showInScroll(id)) tabs.open({ kind: "proposal", subject: id });
  }

  #noteUnexpected(id: string): void {
    const one = this.review(id);
    if (!one) return;
    one.isUnexpected.value = true;
    setTimeout(() => {
      one.isUnexpected.value = false;
    }, surprise);
  }

  find(id: string): ProposalReview | undefined {
    return this.#reviews.value.get(id);
  }

  #summary(id: string): ProposalSummary | undefined {
    return this.#options.frontend.proposals.peek().find((one) => one.id === id);
  }

  /** The review of a waiting proposal, created if necessary. */
  review(id: string): ProposalReview | undefined {
    const known = this.find(id);
    const summary = this.#summary(id);
    if (known || !summary) return known;
    const { api, ask, frontend, send } = this.#options;
    const { label, edited, readOnlyReason } = summary;
    const isReadOnly = readOnlyReason !== undefined && !edited;
    const prepare = () => loadLanguage(frontend.paths.value.baseName(label));
    const fresh = new ProposalReview({ id, isReadOnly, api, send, ask, prepare });
    this.#reviews.value = new Map(this.#reviews.peek()).set(id, fresh);
    return fresh;
  }

  /** Sends decisions, which are undone together. */
  decide(...decisions: readonly Decision[]): void {
    const sent = decisions.filter(({ id }) => !this.find(id)?.isDeciding.value);
    const { noteSent, own } = this.#options;
    own.note(sent.map(({ id }) => id));
    const [first, ...others] = sent.map(({ id }) => this.find(id));
    if (first && others.length === 0 && first.comments.written.value.length > 0) noteSent(first.id);
    for (const { id } of sent) this.#decided.add(id);
    for (const decision of sent) void this.#decide(decision);
    const next = this.#options.frontend.proposals.peek().find((other) => !this.#decided.has(other.id));
    if (next) this.review(next.id); // loads its texts ahead
  }

  async #decide(decision: Decision): Promise<void> {
    const { ask, isAnswering, toasts, wording } = this.#options;
    const { id } = decision;
    const one = this.find(id);
    if (one) {
      one.refusal.value = undefined;
      one.isDeciding.value = true;
    }
    // A decision must not take effect minutes later.
    const result = isAnswering() ? await ask(decision).catch(() => undefined) : undefined;
    if (!result)
      return this.#refused(
        id,
        wording.t("The companion cannot be reached: decide again when the connection is back."),
      );
    if (!result.taken) return this.#refused(id, toSentence(result.reason, wording.translate));
    const { notice } = result;
    if (notice) toasts.say({ level: "info", text: toSentence(notice, wording.translate) });
  }

  accept(id: string): void {
    const one = this.find(id);
    const content = one?.text();
    if (!one || content === undefined) return;
    one.flush();
    const { revision } = one;
    this.decide({ type: "diffAccepted", id, revision, content });
  }

  reject(id: string): void {
    this.find(id)?.flush(); // the history has the edits, and some outlast a rejection
    this.decide({ type: "diffRejected", id });
  }

  /** Closes a tab. A proposal waits on. */
  dismiss(tab: Tab): void {
    this.#options.tabs.close(tab.id);
    if (tab.kind !== "proposal") return;
    const { subject: id } = tab;
    const proposal = this.#summary(id);
    if (proposal && !this.#decided.has(id)) this.notices.arrivals.add(id, proposal);
  }

  welcomed(instance: string): void {
    if (this.#instance !== undefined && this.#instance !== instance) this.#recoverAfterRestart();
    this.#instance = instance;
  }

  /** A restarted companion has lost the proposals. This page still has the user's edits and comments. */
  #recoverAfterRestart(): void {
    const reason = "companion-restarted";
    const { frontend, own, recovered } = this.#options;
    for (const [id, one] of this.#reviews.peek()) {
      const summary = this.#summary(id);
      const loaded = one.loaded.value;
      if (summary && loaded.state === "ready" && one.hasEdits()) {
        const { agent, filePath, openedAt } = summary;
        const texts = { proposed: loaded.texts.proposed, text: one.text() ?? "" };
        void recovered.keep({ agent, filePath, reason, openedAt, ...texts });
      }
      one.comments.keep(summary, reason);
      this.#conclude(id);
    }
    frontend.proposals.value = [];
    this.#decided.clear();
    own.forget();
    this.notices.forget();
  }

  listed(proposals: readonly ProposalSummary[]): void {
    const { frontend, tabs } = this.#options;
    const former = new Set(frontend.proposals.peek().map(({ id }) => id));
    const ids = new Set(proposals.map(({ id }) => id));
    frontend.proposals.value = proposals;
    // The tabs of before a reload.
    for (const tab of this.#isFirstList ? tabs.list.value : [])
      if (tab.kind === "proposal" && !ids.has(tab.subject)) tabs.close(tab.id);
    for (const tab of proposals.length === 0 ? tabs.list.value : [])
      if (tab.kind === "waiting") tabs.close(tab.id);
    const front = tabs.active.value;
    const hasDecided =
      front?.kind === "proposal" && !ids.has(front.subject) && this.#decided.has(front.subject);
    for (const id of [...former].filter((known) => !ids.has(known))) {
      this.find(id)?.flush(); // too late for the agent, but the history shows it
      this.#conclude(id);
      this.#decided.delete(id);
    }
    if (this.#isAfterBreak) for (const one of this.#reviews.peek().values()) void one.reconnected();
    this.#isAfterBreak = false;
    for (const proposal of proposals) if (!former.has(proposal.id)) this.#arrive(proposal);
    this.#isFirstList = false;
    const next = proposals.find(({ id }) => !this.#decided.has(id));
    // After a decision the next proposal opens.
    if (hasDecided && next && tabs.active.value?.kind !== "proposal") this.open(next.id);
  }

  #conclude(id: string): void {
    const { keyGuard, scroll, tabs, toasts } = this.#options;
    const inFront = tabs.active.value;
    const isInScroll = inFront?.kind === "waiting" && scroll.current.value === id;
    const isInFront = isInScroll || (inFront?.kind === "proposal" && inFront.subject === id);
    const isCutOff = isInFront && !this.#decided.has(id);
    if (isCutOff && isWriting()) keyGuard.start();
    this.find(id)?.stop();
    this.#reviews.value = new Map([...this.#reviews.peek()].filter(([other]) => other !== id));
    this.notices.arrivals.remove(id);
    toasts.retract(id);
    tabs.close(tabId({ kind: "proposal", subject: id }));
    const next = tabs.active.value;
    if (isCutOff && next?.kind === "proposal") this.#noteUnexpected(next.subject);
    // The cursor moves to one of these.
    for (const other of isCutOff && isInScroll ? this.#reviews.peek().keys() : [])
      this.#noteUnexpected(other);
  }

  #arrive(proposal: ProposalSummary): void {
    const { announcer, isCovered, tabs } = this.#options;
    const { id } = proposal;
    announcer.announce(this.notices.describeArrival(proposal));
    const inFront = tabs.active.value;
    // After a reload, what was in front stays there.
    const isFree = inFront === undefined || (inFront.kind === "file" && !this.#isFirstList);
    if (isFree && !isWriting() && !isDragging() && !isCovered()) {
      this.open(id);
      this.#noteUnexpected(id);
    } else if (!this.#isFirstList) {
      this.notices.arrivals.add(id, proposal);
    }
  }

  #refused(id: string, reason: string): void {
    const { announcer, own, toasts } = this.#options;
    this.#decided.delete(id);
    own.refused(id);
    const one = this.find(id);
    announcer.announce(reason);
    if (!one) {
      toasts.show({ level: "warning", text: reason });
      return;
    }
    one.isDeciding.value = false;
    one.refusal.value = reason;
  }

  flush(id: string): void {
    this.find(id)?.flush();
    this.#options.send({ type: "flushed", id });
  }

  flushAll(): void {
    for (const one of this.#reviews.peek().values()) one.flush();
  }

  hasUnsent(): boolean {
    return [...this.#reviews.peek().values()].some(({ isUnsent }) => isUnsent);
  }

  disconnected(): void {
    this.#isAfterBreak = true;
  }
}
