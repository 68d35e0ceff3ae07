import { outcomes as outcomeSentences } from "../../../companion/src/core/sentences.ts";
import type { Wording } from "../language/language.ts";
import type { HistoryEntry, ProposalSummary } from "./api.ts";
import type { Announcer } from "./notifier.ts";
import type { OwnDecisions } from "./own-decisions.ts";
import type { Toast, Toasts } from "./toasts.ts";

export interface ProposalNoticesOptions {
  readonly toasts: Toasts;
  readonly announcer: Pick<Announcer, "announce">;
  readonly wording: Pick<Wording, "t">;
  readonly own: Pick<OwnDecisions, "has" | "received">;
  /** Called with the id of the first proposal that has arrived. */
  readonly open: (id: string) => void;
}

/** Messages about proposals that arrive and end while the user does something else. */
export function createProposalNotices(options: ProposalNoticesOptions) {
  const { toasts, announcer, own, open } = options;
  const { t } = options.wording;
  let knownEntries: ReadonlySet<string> | undefined;
  const describeArrival = ({ agent, label }: ProposalSummary) =>
    t("$1 proposes a change of $2.", agent, label);
  const outcomeOf = ({ code, agent }: HistoryEntry) => t(outcomeSentences[code], agent);
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
  /** Proposals that did not end by a decision in this page, by entry id. */
  const outcomes = createGroupedNotice<HistoryEntry>({
    toasts,
    subject: "outcomes",
    describe: describeOutcomes,
  });

  function historyReceived(entries: readonly HistoryEntry[]): void {
    const fresh = knownEntries ? entries.filter(({ id }) => !knownEntries?.has(id)) : [];
    knownEntries = new Set(entries.map(({ id }) => id));
    for (const entry of fresh) {
      const { editsId, proposalId } = entry;
      if (proposalId === undefined) continue; // it was decided in an earlier run
      announcer.announce(describeOutcome(entry));
      // Decisions of this page have a separate message, and recovered edits a card.
      if (!own.has(proposalId) && editsId === undefined) outcomes.add(entry.id, entry);
    }
    own.received(entries);
  }

  return {
    /** Proposals that wait behind the active tab, by id. */
    arrivals,
    describeArrival,
    historyReceived,
    /** The companion has been restarted. */
    forget: () => {
      knownEntries = undefined;
    },
  };
}

interface GroupedNoticeOptions<Item> {
  readonly toasts: Toasts;
  readonly subject: string;
  /** The message about all items. */
  readonly describe: (items: readonly [Item, ...Item[]]) => Pick<Toast, "text" | "action">;
}

/** One message about several items. A new message starts without the items of a dismissed one. */
function createGroupedNotice<Item>(options: GroupedNoticeOptions<Item>) {
  const { toasts, subject, describe } = options;
  const items = new Map<string, Item>();

  function show(): void {
    const [first, ...others] = items.values();
    if (first === undefined) toasts.retract(subject);
    else toasts.show({ level: "info", subject, ...describe([first, ...others]) });
  }

  function forgetSeen(): void {
    if (!toasts.has(subject)) items.clear();
  }

  return {
    add: (key: string, item: Item) => {
      forgetSeen();
      items.set(key, item);
      show();
    },
    remove: (key: string) => {
      forgetSeen();
      if (items.delete(key)) show();
    },
  };
}
