import { hashOf } from "../../files/text-hash.ts";
import type { LogEntry } from "./entries.ts";
import { toConversation } from "./feedback.ts";

/** One prompt to an agent and what it did then. */
export interface Turn {
  /** Eight hexadecimal digits. */
  readonly id: string;
  /** The agent's name, as typed. */
  readonly agent: string;
  /** As `toConversation` names it. */
  readonly conversation: string;
  /** The first line of the prompt; empty where that is not known. */
  readonly title: string;
  /** Absolute path of the folder that the agent runs in; empty where that is not known. */
  readonly folder: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Absent while it runs, as far as is known. */
  endedAt?: number;
  /** What a shell command has written is still being looked at. */
  isIncomplete?: true;
}

type OfAgent = Exclude<LogEntry, { readonly kind: "settled" | "accepted" | "saved" | "command-files" }>;

/** The turns that the entries of a log are of. */
export class Turns {
  readonly all = new Map<string, Turn>();
  /** By what agents call them. */
  readonly #named = new Map<string, Turn>();
  /** The last of each session, and whether no entry has named it yet. */
  readonly #latest = new Map<string, { readonly turn: Turn; readonly isNamed: boolean }>();

  /** The turn of an entry: that which it names, or else the last one of its session. */
  of(entry: OfAgent): Turn {
    const { agent, session, turn: name } = entry;
    const key = toConversation(agent, session);
    const named = JSON.stringify([agent, session, name]);
    const known = name === undefined ? undefined : this.#named.get(named);
    const last = this.#latest.get(key);
    const isStart = entry.kind === "turn-start";
    const current = isStart || (name !== undefined && last?.isNamed) ? undefined : last?.turn;
    const turn = known ?? current ?? this.#begin(entry, key);
    if (name !== undefined) this.#named.set(named, turn);
    if (known === undefined) this.#latest.set(key, { turn, isNamed: name !== undefined });
    return turn;
  }

  #begin(entry: OfAgent, key: string): Turn {
    const { agent, at } = entry;
    const { title, folder } = entry.kind === "turn-start" ? entry : { title: "", folder: "" };
    const former = this.#latest.get(key)?.turn;
    // Esc ends a turn without a word.
    if (former) former.endedAt ??= at;
    const id = hashOf(JSON.stringify([key, entry.turn ?? at])).slice(0, 8);
    const turn = { id, agent, conversation: key, title, folder, startedAt: at };
    this.all.set(id, turn);
    return turn;
  }
}
