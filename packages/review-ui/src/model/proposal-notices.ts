import { toMessage } from "../../../companion/src/core/comments/message.ts";
import { outcomes as outcomeSentences } from "../../../companion/src/core/sentences.ts";
import type { Wording } from "../language/language.ts";
import type { Announcer } from "./announcer.ts";
import type { FrontendMessage, HistoryEntry, ProposalSummary } from "./api.ts";
import type { Base } from "./base.ts";
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

type Message<Type> = Extract<FrontendMessage, { readonly type: Type }>;

/** What is said of comments on their way, and what is done with those that no agent has received. */
export function createWaitingComments(base: Base) {
  const { toasts, stored, warn } = base;
  const { t } = base.wording;
  /** Ids of proposals that were decided in this page with comments. */
  const sentHere = new Set<string>();

  function say(level: "info" | "warning", text: string, message?: string): void {
    const action = message !== undefined && { action: { label: t("Copy"), run: () => void copy(message) } };
    toasts.say({ level, text, ...action });
  }

  const copy = (message: string) =>
    base.copy(message, t("Your comments are in the clipboard: paste them into the agent’s prompt."));

  /** The click on the decision lets the page write to the clipboard for a few seconds. */
  async function offer(agent: string, message: string): Promise<void> {
    const sentence = await navigator.clipboard.writeText(message).then(
      () =>
        "The prompt of $1 cannot be reached. Your comments are in the clipboard: paste them there." as const,
      () => "The prompt of $1 cannot be reached. Your comments wait in the companion panel." as const,
    );
    say("warning", t(sentence, agent), message);
  }

  const inPrompt = (agent: string) =>
    t("Your comments are in the prompt of $1: press Enter there to send them.", agent);

  async function send(id: string): Promise<void> {
    const agent = await stored.act("comments", id, "send");
    if (agent !== undefined) say("info", inPrompt(agent));
    else say("warning", t("No agent’s prompt can be reached: copy your comments instead."));
  }

  return {
    /** A decision is sent with comments of this page's user, who gets them in the clipboard if nobody has them. */
    noteSent: (id: string) => sentHere.add(id),
    delivered: ({ by, agent }: Message<"comments-delivered">) =>
      say("info", by === "prompt" ? inPrompt(agent) : t("$1 has your comments.", agent)),
    recovered: ({ id, comments }: Message<"comments-recovered">) => {
      const [{ agent }, message] = [comments, toMessage(comments)];
      if (sentHere.delete(id)) return void offer(agent, message);
      const text = t("$1 has not received your comments. They wait in the companion panel.", agent);
      say("warning", text, message);
    },
    copy,
    /** Into the prompt of an agent. */
    send: (id: string) => void send(id).catch(warn),
  };
}
