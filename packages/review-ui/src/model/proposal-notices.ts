import type { Wording } from "../language/language.ts";
import type { HistoryEntry, ProposalSummary } from "./api.ts";
import { createGroupedNotice, type GroupedNotice, type Toasts } from "./toasts.ts";

/** Messages about proposals that arrive and end while the user does something else. */
export interface ProposalNotices {
  /** Proposals that wait behind the active tab, by id. */
  readonly arrivals: GroupedNotice<ProposalSummary>;
  /** Proposals that did not end by a decision in this page, by entry id. */
  readonly outcomes: GroupedNotice<HistoryEntry>;
  describeArrival(proposal: ProposalSummary): string;
  describeOutcome(entry: HistoryEntry): string;
}

/** @param open called with the id of the first proposal that has arrived */
export function createProposalNotices(
  toasts: Toasts,
  { t, translateFor }: Pick<Wording, "t" | "translateFor">,
  open: (id: string) => void,
): ProposalNotices {
  const describeArrival = ({ agent, label }: ProposalSummary) =>
    t("$1 proposes a change of $2.", agent, label);
  const outcomeOf = ({ text, agent }: HistoryEntry) => translateFor(agent, text);
  const describeOutcome = (entry: HistoryEntry) => t("$1: $2.", entry.label, outcomeOf(entry));

  function describeOutcomes([first, ...others]: readonly [HistoryEntry, ...HistoryEntry[]]) {
    if (others.length === 0) return { text: describeOutcome(first) };
    const text = outcomeOf(first);
    const count = others.length + 1;
    const isSame = others.every((entry) => outcomeOf(entry) === text);
    return {
      text: isSame ? t("$1 changes: $2.", count, text) : t("$1 changes were decided or closed.", count),
    };
  }

  const arrivals = createGroupedNotice<ProposalSummary>({
    toasts,
    subject: "arrivals",
    describe: ([first, ...others]) => ({
      text: others.length === 0 ? describeArrival(first) : t("$1 changes wait for you.", others.length + 1),
      action: {
        label: t(others.length === 0 ? "Review it" : "Review the first"),
        run: () => open(first.id),
      },
    }),
  });
  const outcomes = createGroupedNotice<HistoryEntry>({
    toasts,
    subject: "outcomes",
    describe: describeOutcomes,
  });
  return { arrivals, outcomes, describeArrival, describeOutcome };
}
