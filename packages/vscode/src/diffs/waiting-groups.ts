import type { Companion, Turn } from "ide-companion";
import { groupWaiting, type WaitingGroup } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import type { OpenProposal } from "./open-proposal.ts";
import type { Proposals } from "./proposals.ts";

/** The proposals of one turn of an agent that wait in this window; of one agent where no turn is known. */
export type ProposalGroup = WaitingGroup<OpenProposal, Turn>;

/** What the view passes to commands, and to itself. */
export const isGroup = (target: unknown): target is ProposalGroup =>
  typeof target === "object" && target !== null && "proposals" in target;

/** What waits in this window, by agent and turn, and which turns are accepted ahead. */
export type WaitingGroups = ReturnType<typeof createGroups>;

export function createGroups(proposals: Proposals, turns: Companion["turns"]) {
  const changed = new vscode.EventEmitter<void>();
  const subscriptions = vscode.Disposable.from(
    changed,
    proposals.onChange(() => changed.fire()),
    { dispose: turns.onChange(() => changed.fire()) },
  );
  /** Those of which nothing waits included. */
  const ahead = () => turns.list.filter((turn) => turn.ahead !== undefined);
  return {
    /** Fires when a proposal or a turn is another one. */
    onChange: changed.event,
    /** A group stays where its first proposal is. */
    get all(): readonly ProposalGroup[] {
      return groupWaiting(proposals.all, turns.list);
    },
    /** In the order of the list. */
    get proposals(): readonly OpenProposal[] {
      return this.all.flatMap((group) => group.proposals);
    },
    /** Turns whose rest is accepted ahead. */
    get ahead(): readonly Turn[] {
      return ahead();
    },
    /** @param stopAt files that wait for the user all the same; as in a `.gitignore` */
    acceptRest: ({ id }: Turn, stopAt: readonly string[]) => turns.acceptRest(id, stopAt),
    /** From now on the user decides again: about one turn, or about all. */
    stop(these: readonly Turn[] = ahead()): void {
      for (const { id } of these) turns.stop(id);
    },
    dispose: () => subscriptions.dispose(),
  };
}
