import { signal } from "@preact/signals";
import { outcomes as outcomeSentences } from "../../../companion/src/core/sentences.ts";
import type { Wording } from "../language/language.ts";
import type { HistoryEntry, ProposalSummary } from "./api.ts";
import type { Announcer } from "./notifier.ts";

export interface Toast {
  readonly id: number;
  readonly level: "info" | "warning" | "error";
  readonly text: string;
  /** How often it was shown. */
  readonly count: number;
  /** Identifies its topic. A newer message about it replaces this one. */
  readonly subject?: string;
  /** A button. */
  readonly action?: { readonly label: string; readonly run: () => void };
}

type NewToast = Omit<Toast, "id" | "count">;

/** Milliseconds that a message is visible. Errors stay until they are dismissed. */
const lifetime = { info: 6000, warning: 12_000 };

const maxToasts = 4;

/** Short messages that appear for a while. */
export type Toasts = ReturnType<typeof createToasts>;

export function createToasts(announcer: Pick<Announcer, "announce">) {
  const list = signal<readonly Toast[]>([]);
  let lastId = 0;
  const dismiss = (id: number) => {
    list.value = list.value.filter((toast) => toast.id !== id);
  };
  const show = (toast: NewToast) => {
    lastId += 1;
    const id = lastId;
    const isSame = ({ subject, text, level }: Toast) =>
      toast.subject === undefined ? text === toast.text && level === toast.level : subject === toast.subject;
    const former = list.value.find(isSame);
    const count = former && former.text === toast.text ? former.count + 1 : 1;
    list.value = [...list.value.filter((one) => one !== former), { ...toast, id, count }].slice(-maxToasts);
    if (toast.level !== "error") setTimeout(() => dismiss(id), lifetime[toast.level]);
  };
  return {
    list,
    show,
    /** Shows a message, and has screen readers read it. */
    say: (toast: NewToast) => {
      announcer.announce(toast.text);
      show(toast);
    },
    dismiss,
    /** Whether a message about the subject is visible. */
    has: (subject: string) => list.value.some((toast) => toast.subject === subject),
    /** Dismisses all messages about the subject. */
    retract: (subject: string) => {
      list.value = list.value.filter((toast) => toast.subject !== subject);
    },
  };
}

export interface GroupedNoticeOptions<Item> {
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

export interface ProposalNoticesOptions {
  readonly toasts: Toasts;
  readonly announcer: Pick<Announcer, "announce">;
  readonly wording: Pick<Wording, "t">;
  /** Called with the id of the first proposal that has arrived. */
  readonly open: (id: string) => void;
}

/** Messages about proposals that arrive and end while the user does something else. */
export function createProposalNotices(options: ProposalNoticesOptions) {
  const { toasts, announcer, open } = options;
  const { t } = options.wording;
  /** Ids decided in this page that are not in the history yet. It may arrive before the list or after it. */
  const unreported = new Set<string>();
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
      const isOwn = unreported.delete(proposalId);
      // Decisions of this page are visible anyway, and recovered edits have a card.
      if (!isOwn && editsId === undefined) outcomes.add(entry.id, entry);
    }
  }

  return {
    /** Proposals that wait behind the active tab, by id. */
    arrivals,
    describeArrival,
    /** This page decides on a proposal. */
    noteDecided: (id: string) => unreported.add(id),
    noteRefused: (id: string) => unreported.delete(id),
    historyReceived,
    /** The companion has been restarted. */
    forget: () => {
      unreported.clear();
      knownEntries = undefined;
    },
  };
}
