import type { Companion, Turn } from "ide-companion";
import { groupWaiting, type WaitingGroup } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import type { OpenProposal } from "./open-proposal.ts";
import type { Proposals } from "./proposals.ts";

type Turns = Companion["turns"];

/** The proposals of one turn of an agent that wait in this window; of one agent where no turn is known. */
export type ProposalGroup = WaitingGroup<OpenProposal, Turn>;

/** What the view passes to commands, and to itself. */
export const isGroup = (target: unknown): target is ProposalGroup =>
  typeof target === "object" && target !== null && "proposals" in target;

/** What waits in this window, by agent and turn, and which turns are accepted ahead. */
export class WaitingGroups {
  readonly #proposals: Proposals;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when a proposal or a turn is another one. */
  readonly onChange = this.#changed.event;
  readonly #turns: Turns;
  readonly #subscription: vscode.Disposable;

  constructor(proposals: Proposals, turns: Turns) {
    this.#proposals = proposals;
    this.#turns = turns;
    const changed = () => this.#changed.fire();
    this.#subscription = vscode.Disposable.from(
      ...[this.#changed, proposals.onChange(changed), { dispose: turns.onChange(changed) }],
    );
  }

  /** A group stays where its first proposal is. */
  get all(): readonly ProposalGroup[] {
    return groupWaiting(this.#proposals.all, this.#turns.list);
  }

  /** In the order of the list. */
  get proposals(): readonly OpenProposal[] {
    return this.all.flatMap(({ proposals }) => proposals);
  }

  /** Turns whose rest is accepted ahead, those of which nothing waits included. */
  get ahead(): readonly Turn[] {
    return this.#turns.list.filter(({ ahead }) => ahead !== undefined);
  }

  /** @param stopAt files that wait for the user all the same; as in a `.gitignore` */
  acceptRest({ id }: Turn, stopAt: readonly string[]): void {
    this.#turns.acceptRest(id, stopAt);
  }

  /** From now on the user decides again: about one turn, or about all. */
  stop(turns: readonly Turn[] = this.ahead): void {
    for (const { id } of turns) this.#turns.stop(id);
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
