import type { ShownChange } from "../../core/editor.ts";
import type { OpenTurns, Turn } from "../../core/turns.ts";
import type { Act, Effect, Row } from "../protocol/list-messages.ts";
import { comparisonOf } from "../protocol/original.ts";
import { wordsOf } from "./diff-state.ts";
import type { PluginChange } from "./plugin-diffs.ts";

const none = "No proposal waits for you.";

/** Names that a question has room for on a small screen. */
const maxNames = 12;

export interface WaitingListOptions {
  /** What the plugin shows, oldest first. */
  readonly waiting: () => readonly PluginChange[];
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
    const rows = this.#options.waiting().map((shown) => toRow(shown, turnOf(shown.change.id, turns)));
    return { title: "Proposals", none, rows };
  }

  async act(act: Act): Promise<Effect> {
    const turns = await this.#options.turns();
    if (act.action === "stop-ahead") return stopAhead(turns);
    return act.action === "accept-ahead" ? this.#acceptAhead(act, turns) : this.#decide(act);
  }

  /** The plugin has the texts, so it sends the decisions. */
  #decide({ id, action, sure }: Act): Effect {
    const all = this.#options.waiting();
    const agent =
      action === "accept-agent"
        ? all.find(({ change }) => change.id === id)?.change.proposal.agent
        : undefined;
    const isMeant = ({ change }: PluginChange) =>
      agent === undefined ? ["", change.id].includes(id) : change.proposal.agent === agent;
    const meant = all.filter(isMeant);
    const [count, verb] = [meant.length, action === "reject" ? "Reject" : "Accept"];
    if (count === 0) return { message: none };
    if (!sure && (count > 1 || id === "" || agent !== undefined)) {
      const what = count === 1 ? "1 proposal" : `${count} proposals`;
      return toAsk(`${verb} ${what}${agent === undefined ? "" : ` of ${agent}`}?`, verb, meant);
    }
    return { decide: { accept: verb === "Accept", ids: meant.map(({ change }) => change.id) } };
  }

  #acceptAhead({ id, stopAt = [], sure }: Act, turns: OpenTurns | undefined): Effect {
    const turn = turnOf(id, turns?.list ?? []);
    if (!turn) return { message: "The turn of this proposal is over." };
    if (sure) {
      turns?.acceptRest(turn.id, stopAt);
      return { message: `The rest of ${turn.agent} is accepted`, next: "stop-ahead" };
    }
    const except = stopAt.length > 0 ? `, except for ${stopAt.join(" ")}` : "";
    const waiting = this.#options.waiting().filter(({ change }) => turn.waiting.includes(change.id));
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

function toRow({ change, label }: PluginChange, turn: Turn | undefined): Row {
  const { id, agent, filePath, openedAt: at } = change.proposal;
  const { length: comments } = change.comments;
  const place = (turn?.decided ?? 0) + (turn?.waiting.indexOf(id) ?? 0) + 1;
  const words = [
    `+${change.added} -${change.removed}`,
    turn && `${place} of ${turn.decided + turn.waiting.length}`,
    turn?.ahead && "ahead",
    ...warningsOf(change),
    comments > 0 && (comments === 1 ? "1 comment" : `${comments} comments`),
  ];
  const text = words.filter((word) => typeof word === "string").join(", ");
  return {
    ...{ id, agent, filePath, label, at, text },
    hunks: [{ id: "", line: change.hunks[0]?.line ?? 1, text: `${agent}: ${text}` }],
    actions: [
      { code: "accept", name: "accepts" },
      { code: "reject", name: "rejects" },
      { code: "accept-agent", name: "accepts its agent's" },
      { code: "accept-ahead", name: "accepts its turn" },
    ],
  };
}

/** What the user has to know of a change before a decision, in a few words each. */
function warningsOf(change: ShownChange): readonly string[] {
  const { text, state, proposal } = change;
  return [
    ...comparisonOf(change).facts,
    ...wordsOf(state, proposal.agent, proposal.filePath).slice(-1),
    ...(proposal.readOnlyReason ? ["read-only"] : []),
    ...(text === proposal.newContent ? [] : ["edited by you"]),
  ];
}

/** A question that names changes: first those of which there is more to know. */
function toAsk(question: string, yes: string, changes: readonly PluginChange[]): Effect {
  const names = changes.map(({ change, label }) => [label, ...warningsOf(change)]);
  names.sort((a, b) => Number(b.length > 1) - Number(a.length > 1));
  const lines = names.slice(0, maxNames).map((words) => `  ${words.join(", ")}`);
  const more = names.length > maxNames ? [`  and ${names.length - maxNames} more`] : [];
  return { ask: { question: [question, ...lines, ...more].join("\n"), yes } };
}
