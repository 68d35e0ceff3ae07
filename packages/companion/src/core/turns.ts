import { randomUUID } from "node:crypto";
import { confine } from "../files/workspace-path.ts";
import { Listeners } from "../system/listeners.ts";
import type { Proposal } from "./editor.ts";
import type { CompanionEvent } from "./events.ts";
import { createExclusion } from "./sharing/patterns.ts";
import { isGitIgnored, type Sharing } from "./sharing/sharing.ts";

/** Milliseconds without a waiting proposal after which the next one begins another turn. */
export const quietTime = 15_000;

/** Milliseconds until a proposal is accepted ahead: its agent has its answer first, and the history has its file. */
const pace = 50;

/** The user wants the rest of a turn accepted. */
export interface AcceptingAhead {
  /** Files that wait for the user all the same; as in a `.gitignore`. */
  readonly stopAt: readonly string[];
  /** How many it has accepted. */
  readonly accepted: number;
}

/**
 * The changes that one agent proposes for one prompt, as far as a companion can see: no CLI says when a turn ends.
 * A turn ends when its agent says that its user has sent a prompt, when its session ends, and when no proposal of it
 * has waited for a while.
 */
export interface Turn {
  /** Unique within this companion. */
  readonly id: string;
  readonly sessionId: string;
  /** The agent's name for people. */
  readonly agent: string;
  /** Ids of the proposals that wait, oldest first. */
  readonly waiting: readonly string[];
  /** How many have ended. */
  readonly decided: number;
  readonly ahead?: AcceptingAhead;
}

/** The turns that run, and what the user can do with each. */
export interface OpenTurns {
  /** Oldest first. */
  readonly list: readonly Turn[];
  /**
   * Accepts what waits of a turn and what it still brings, until it ends, the user rejects something of it or decides
   * in the agent's terminal, or `stop` is called. A turn that is over stays so.
   * @param stopAt files that wait for the user all the same; as in a `.gitignore`
   */
  acceptRest(turnId: string, stopAt: readonly string[]): void;
  /** From now on the user decides again. */
  stop(turnId: string): void;
  /** Calls back whenever the list is another one. @returns how to stop */
  onChange(listener: () => void): () => void;
}

export interface TurnsOptions {
  /**
   * Accepts a waiting proposal as it stands; one that its agent cannot take stays open.
   * @param isWanted whether the user still wants it, once its text is known
   */
  readonly accept: (proposalId: string, isWanted: () => boolean) => Promise<void>;
  readonly sharing: Pick<Sharing, "check">;
  /** Absolute paths of the open folders. */
  readonly roots: () => readonly string[];
}

/** Mutable; what is shown of it is a copy. */
interface RunningTurn extends Omit<Turn, "waiting" | "ahead" | "decided"> {
  /** Paths by the ids of their proposals. */
  readonly waiting: Map<string, string>;
  decided: number;
  ahead: AcceptingAhead | undefined;
  timer: NodeJS.Timeout | undefined;
}

/** The turns that run, one a session at most, and which of them are accepted ahead. Nothing of it outlasts the companion. */
export class Turns implements OpenTurns {
  readonly #options: TurnsOptions;
  readonly #changed = new Listeners();
  readonly onChange = this.#changed.add;
  /** By session. */
  readonly #turns = new Map<string, RunningTurn>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #run = randomUUID();
  #count = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  get list(): readonly Turn[] {
    return [...this.#turns.values()].map(({ waiting, ahead, timer: _, ...turn }) => ({
      ...turn,
      waiting: [...waiting.keys()],
      ...(ahead && { ahead }),
    }));
  }

  /** A name of the turn that runs in a session, by which the history knows it: unique among all companions. */
  nameOf(sessionId: string): string | undefined {
    const turn = this.#turns.get(sessionId);
    return turn && `${this.#run}.${turn.id}`;
  }

  acceptRest(turnId: string, stopAt: readonly string[]): void {
    const turn = this.#find(turnId);
    if (!turn) return;
    turn.ahead = { stopAt, accepted: 0 };
    this.#changed.tell();
    for (const id of turn.waiting.keys()) this.#acceptSoon(turn, id);
  }

  stop(turnId: string): void {
    const turn = this.#find(turnId);
    if (!turn?.ahead) return;
    turn.ahead = undefined;
    this.#changed.tell();
  }

  /** Learns from what happens in this companion. */
  take(event: CompanionEvent): void {
    if (event.kind === "diff-opened") this.#enter(event.proposal);
    if (event.kind === "diff-settled") this.#settle(event);
    if (event.kind === "session-closed") this.end(event.session.id);
  }

  /** The turn of a session is over. */
  end(sessionId: string): void {
    const turn = this.#turns.get(sessionId);
    if (!turn) return;
    clearTimeout(turn.timer);
    turn.ahead = undefined;
    this.#turns.delete(sessionId);
    this.#changed.tell();
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const { timer } of this.#turns.values()) clearTimeout(timer);
    this.#turns.clear();
  }

  #find(turnId: string): RunningTurn | undefined {
    return [...this.#turns.values()].find(({ id }) => id === turnId);
  }

  #enter({ id, sessionId, agent, filePath }: Proposal): void {
    const turn = this.#turns.get(sessionId) ?? this.#begin(sessionId, agent);
    clearTimeout(turn.timer);
    turn.waiting.set(id, filePath);
    this.#changed.tell();
    if (turn.ahead) this.#acceptSoon(turn, id);
  }

  #begin(sessionId: string, agent: string): RunningTurn {
    this.#count += 1;
    const turn: RunningTurn = {
      ...{ id: `${this.#count}`, sessionId, agent },
      ...{ waiting: new Map<string, string>(), decided: 0, ahead: undefined, timer: undefined },
    };
    this.#turns.set(sessionId, turn);
    return turn;
  }

  #settle({ proposal, settlement }: Extract<CompanionEvent, { kind: "diff-settled" }>): void {
    const turn = this.#turns.get(proposal.sessionId);
    if (!turn?.waiting.delete(proposal.id)) return;
    const isReplaced = settlement.kind === "closed" && settlement.reason === "replaced";
    if (!isReplaced) turn.decided += 1;
    // Who says no, or decides elsewhere, wants to look at the rest.
    if (settlement.kind !== "accepted" && !isReplaced) turn.ahead = undefined;
    if (settlement.kind === "accepted" && settlement.by === "rule" && turn.ahead)
      turn.ahead = { ...turn.ahead, accepted: turn.ahead.accepted + 1 };
    if (turn.waiting.size === 0)
      turn.timer = setTimeout(() => this.end(proposal.sessionId), quietTime).unref();
    this.#changed.tell();
  }

  #acceptSoon(turn: RunningTurn, id: string): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      // One that cannot be accepted waits for its user.
      this.#accept(turn, id).catch(() => {});
    }, pace).unref();
    this.#timers.add(timer);
  }

  /** Unless it has to wait for its user. */
  async #accept(turn: RunningTurn, id: string): Promise<void> {
    const filePath = turn.waiting.get(id);
    const { ahead } = turn;
    if (!ahead || filePath === undefined || (await this.#waitsForUser(filePath, ahead))) return;
    // The user may have called it off meanwhile, or named other files.
    const isWanted = () => turn.ahead?.stopAt === ahead.stopAt;
    if (isWanted()) await this.#options.accept(id, isWanted);
  }

  /** Files outside of the open folders, those that agents do not hear of, those that git ignores, and the user's own. */
  async #waitsForUser(filePath: string, { stopAt }: AcceptingAhead): Promise<boolean> {
    const { sharing } = this.#options;
    const open = this.#options.roots();
    const confined = await confine(filePath, open);
    if (!confined) return true;
    const roots = [...open, confined.realRoot];
    const isStop = createExclusion({ patterns: stopAt, roots });
    for (const path of new Set([filePath, confined.real])) {
      if (isStop(path) || (await sharing.check(path)) || (await isGitIgnored(path, roots))) return true;
    }
    return false;
  }
}
