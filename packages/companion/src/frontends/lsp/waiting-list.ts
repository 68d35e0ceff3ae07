import type { OpenTurns, Turn } from "../../core/turns.ts";
import type { Act, Effect, Row } from "../protocol/list-messages.ts";
import { wordsOf } from "./diff-state.ts";
import type { ShownChange } from "./plugin-diffs.ts";

const none = "No proposal waits for you.";

/** Names that a question has room for on a small screen. */
const maxNames = 12;

export interface WaitingListOptions {
  /** What the plugin shows, oldest first. */
  readonly waiting: () => readonly ShownChange[];
  /** Resolves once the companion has started, or cannot. */
  readonly turns: () => Promise<OpenTurns | undefined>;
}

/** The changes that wait in a plugin, and decisions about several of them. */
export class WaitingList {
  readonly #options: WaitingListOptions;

  constructor(options: WaitingListOptions) {
    this.#options = options;
  }

  async list() {
    const turns = (await this.#options.turns())?.list ?? [];
    const rows = this.#options.waiting().map((change) => toRow(change, turnOf(change.proposal.id, turns)));
    return { title: "Proposals", none, rows };
  }

  async act(act: Act): Promise<Effect> {
    const turns = await this.#options.turns();
    if (act.action === "stop-ahead") return stopAhead(turns);
    return act.action === "accept-ahead" ? this.#acceptAhead(act, turns) : this.#decide(act);
  }

  /** The plugin has the texts, so it sends the decisions. */
  #decide({ id, also = [], action, sure }: Act): Effect {
    const all = this.#options.waiting();
    const agent =
      action === "accept-agent" ? all.find(({ proposal }) => proposal.id === id)?.proposal.agent : undefined;
    const isMeant = ({ proposal }: ShownChange) =>
      agent === undefined ? id === "" || [id, ...also].includes(proposal.id) : proposal.agent === agent;
    const meant = all.filter(isMeant);
    const [count, verb] = [meant.length, action === "reject" ? "Reject" : "Accept"];
    if (count === 0) return { message: none };
    if (!sure && (count > 1 || id === "" || agent !== undefined)) {
      const what = count === 1 ? "1 proposal" : `${count} proposals`;
      return toAsk(`${verb} ${what}${agent === undefined ? "" : ` of ${agent}`}?`, verb, meant);
    }
    return { decide: { accept: verb === "Accept", ids: meant.map(({ proposal }) => proposal.id) } };
  }

  #acceptAhead({ id, stopAt = [], sure }: Act, turns: OpenTurns | undefined): Effect {
    const turn = turnOf(id, turns?.list ?? []);
    if (!turn) return { message: "The turn of this proposal is over." };
    if (sure) {
      turns?.acceptRest(turn.id, stopAt);
      return { message: `The rest of ${turn.agent} is accepted`, next: "stop-ahead" };
    }
    const except = stopAt.length > 0 ? `, except for ${stopAt.join(" ")}` : "";
    const waiting = this.#options.waiting().filter(({ proposal }) => turn.waiting.includes(proposal.id));
    return toAsk(`Accept what ${turn.agent} proposes until its turn ends${except}? Now:`, "Accept", waiting);
  }
}

const turnOf = (id: string, turns: readonly Turn[]) => turns.find(({ waiting }) => waiting.includes(id));

function stopAhead(turns: OpenTurns | undefined): Effect {
  const ahead = turns?.list.filter((turn) => turn.ahead) ?? [];
  for (const { id } of ahead) turns?.stop(id);
  const agents = ahead.map(({ agent }) => agent).join(", ");
  return { message: agents === "" ? "Nothing is accepted ahead." : `You decide about ${agents} again.` };
}

function toRow(change: ShownChange, turn: Turn | undefined): Row {
  const { id, agent, filePath, openedAt: at } = change.proposal;
  const sum = (side: "added" | "removed") =>
    change.compared.hunks.reduce((count, hunk) => count + hunk[side], 0);
  const place = (turn?.decided ?? 0) + (turn?.waiting.indexOf(id) ?? 0) + 1;
  const words = [
    `+${sum("added")} -${sum("removed")}`,
    turn && `${place} of ${turn.decided + turn.waiting.length}`,
    turn?.ahead && "ahead",
    ...warningsOf(change),
    change.comments > 0 && (change.comments === 1 ? "1 comment" : `${change.comments} comments`),
  ];
  return {
    ...{ id, agent, filePath, label: change.label, at },
    text: words.filter((word) => typeof word === "string").join(", "),
    actions: [
      { code: "accept", name: "accepts" },
      { code: "reject", name: "rejects" },
      { code: "accept-agent", name: "accepts its agent's" },
      { code: "accept-ahead", name: "accepts its turn" },
    ],
  };
}

/** What the user has to know of a change before a decision, in a few words each. */
const warningsOf = ({ compared, state, text, proposal }: ShownChange): readonly string[] => [
  ...compared.facts,
  ...wordsOf(state, proposal.agent, proposal.filePath).slice(-1),
  ...(text === proposal.newContent ? [] : ["edited by you"]),
];

/** A question that names changes: first those of which there is more to know. */
function toAsk(question: string, yes: string, changes: readonly ShownChange[]): Effect {
  const names = changes.map((change) => [change.label, ...warningsOf(change)]);
  names.sort((a, b) => Number(b.length > 1) - Number(a.length > 1));
  const lines = names.slice(0, maxNames).map((words) => `  ${words.join(", ")}`);
  const more = names.length > maxNames ? [`  and ${names.length - maxNames} more`] : [];
  return { ask: { question: [question, ...lines, ...more].join("\n"), yes } };
}
