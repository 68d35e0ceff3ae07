import { computed, type ReadonlySignal, signal } from "@preact/signals";
import {
  groupWaiting,
  type WaitingGroup as ProposalGroup,
} from "../../../companion/src/core/waiting-groups.ts";
import type { HistoryEntry, ProposalSummary, Turn } from "./api.ts";
import type { Base } from "./base.ts";
import type { ProposalController } from "./proposal-controller.ts";

/** The proposals of one turn that wait, oldest first. */
export type WaitingGroup = ProposalGroup<ProposalSummary, Turn>;

/** What the user is asked once about several changes. */
export type Question = WaitingQuestion | TurnQuestion;

/** Shall these proposals be accepted, or rejected? */
export interface WaitingQuestion {
  readonly decision: "accept" | "reject";
  readonly proposals: readonly ProposalSummary[];
  /**
   * What the same agent still proposes in this turn can be accepted as well; undefined where the question does not list
   * all of the turn that waits.
   */
  readonly turn: Turn | undefined;
}

/** Shall this be done about the changes of a turn? */
export interface TurnQuestion {
  /** What the answer does. */
  readonly title: string;
  readonly changes: readonly Pick<HistoryEntry, "id" | "agent" | "label" | "added" | "removed">[];
  readonly run: () => unknown;
}

/** Its file has changed on disk in a way that its user has to look at before they accept it. */
export const isBlocked = ({ state }: ProposalSummary) => state === "clash" || state === "stale";

/** The proposals that wait, as the page lists them, and decisions about several of them. */
export type Waiting = ReturnType<typeof createWaiting>;

export function createWaiting(base: Base, controller: ProposalController) {
  const { frontend, tabs, scroll, send, isAnswering, toasts } = base;
  const { t } = base.wording;
  const filter = signal("");
  const question = signal<Question | undefined>(undefined);
  const groups = computed(() => {
    const wanted = filter.value.trim().toLowerCase();
    const fitting = frontend.proposals.value.filter(({ label, agent }) =>
      `${agent} ${label}`.toLowerCase().includes(wanted),
    );
    return groupWaiting(fitting, frontend.turns.value);
  });
  const listed = () => groups.value.flatMap(({ proposals }) => proposals);

  return {
    /** Text that the path or the agent of a listed proposal contains. */
    filter,
    /** Of those that fit the filter; a group stays where its first proposal is. */
    groups,
    question,
    ...createScrollOpener(base, controller, groups),
    /** Asks about all that are listed, or about a group. @returns false when there are none */
    ask: (decision: WaitingQuestion["decision"], group?: WaitingGroup) => {
      const proposals = group?.proposals ?? listed();
      if (proposals.length === 0) return false;
      // A filter may hide some, and these must not be accepted unseen.
      const isWhole = group?.turn?.waiting.every((waiting) => proposals.some(({ id }) => id === waiting));
      question.value = {
        decision,
        proposals,
        turn: decision === "accept" && isWhole ? group?.turn : undefined,
      };
      return true;
    },
    /** Does what was asked. @param stopAt given when the rest of the turn is accepted ahead */
    confirm: (stopAt?: readonly string[]) => {
      const asked = question.value;
      question.value = undefined;
      if (!asked) return;
      if ("run" in asked) return void asked.run();
      const isAsked = (one: ProposalSummary) => asked.decision === "reject" || !isBlocked(one);
      const ids = asked.proposals.filter(isAsked).map(({ id }) => id);
      for (const id of ids) controller.find(id)?.flush();
      // A decision must not take effect minutes later.
      if (!isAnswering()) {
        const text = t("The companion cannot be reached: decide again when the connection is back.");
        return toasts.show({ level: "warning", text });
      }
      const type = asked.decision === "accept" ? "diffAccepted" : "diffRejected";
      controller.decide(...ids.map((id) => ({ type, id }) as const));
      if (stopAt && asked.turn) send({ type: "acceptRest", turn: asked.turn.id, stopAt: [...stopAt] });
    },
    cancel: () => {
      question.value = undefined;
    },
    /** Calls off accepting the rest of a turn. */
    stop: ({ id }: Turn) => {
      send({ type: "stopAccepting", turn: id });
    },
    /** Opens the next or the previous one of the list. After the last comes the first. @returns false when there are none */
    step: (direction: 1 | -1) => {
      const list = listed();
      const active = tabs.active.value;
      const front = active?.kind === "waiting" ? scroll.current.value : active?.subject;
      const index = list.findIndex(({ id }) => id === front);
      const next = list.at(index < 0 ? (direction > 0 ? 0 : -1) : (index + direction) % list.length);
      if (next) controller.open(next.id);
      return next !== undefined;
    },
  };
}

/** Opens waiting changes in one scroll, or one by one. */
function createScrollOpener(
  { tabs, scroll, preferences }: Base,
  controller: ProposalController,
  groups: ReadonlySignal<readonly WaitingGroup[]>,
) {
  const group = (subject: string) => groups.value.find(({ key }) => key === subject);
  const inTab = (subject: string) =>
    groups.value
      .filter(({ key }) => subject === "all" || key === subject)
      .flatMap(({ proposals }) => proposals);
  const isInTab = (subject: string, wanted: string) => inTab(subject).some(({ id }) => id === wanted);

  function openScroll(subject = "all"): void {
    const active = tabs.active.value;
    const isHere = active?.kind === "proposal" && isInTab(subject, active.subject);
    const file = isHere ? active.subject : inTab(subject)[0]?.id;
    if (file === undefined) return;
    preferences.showsAllWaiting.value = true;
    scroll.place.value = { file, hunk: 0 };
    tabs.open({ kind: "waiting", subject });
  }

  function showOneByOne(id?: string): void {
    preferences.showsAllWaiting.value = false;
    if (id !== undefined) controller.open(id);
  }

  return {
    group,
    /** What a tab shows in one scroll: all that are listed, or a group. */
    inTab,
    /** Shows all that are listed in one scroll, or a group, from now on. */
    openScroll,
    /** From now on one by one, and this one now. */
    showOneByOne,
    /** To the other of both. @returns false when nothing waits */
    toggleScroll: () => {
      if (tabs.active.value?.kind === "waiting") showOneByOne(scroll.current.value);
      else openScroll();
      return groups.value.length > 0;
    },
    /** Goes to a change in the scroll, where that is how the user reads. @returns whether it does */
    showInScroll: (id: string) => {
      const active = tabs.active.value;
      const isHere = active?.kind === "waiting" && isInTab(active.subject, id);
      if (!preferences.showsAllWaiting.value || !(isHere || isInTab("all", id))) return false;
      scroll.place.value = { file: id, hunk: 0 };
      tabs.open({ kind: "waiting", subject: isHere ? active.subject : "all" });
      return true;
    },
  };
}
