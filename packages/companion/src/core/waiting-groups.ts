import type { Proposal } from "./editor.ts";
import type { Turn } from "./turns.ts";

/** What is known of a proposal, at least. */
export type AnyProposal = Pick<Proposal, "id" | "agent">;

/** What is known of a turn, at least. */
export type AnyTurn = Pick<Turn, "id" | "waiting" | "decided">;

/** The proposals of one turn that wait; of one agent where no turn is known. */
export interface WaitingGroup<P extends AnyProposal, T extends AnyTurn> {
  readonly key: string;
  readonly agent: string;
  readonly turn: T | undefined;
  /** As they were given. */
  readonly proposals: readonly P[];
}

/** Groups proposals as lists show them: a group stays where its first proposal is. */
export function groupWaiting<P extends AnyProposal, T extends AnyTurn>(
  proposals: readonly P[],
  turns: readonly T[],
): readonly WaitingGroup<P, T>[] {
  const turnOf = new Map(turns.flatMap((turn) => turn.waiting.map((id) => [id, turn] as const)));
  const groups = new Map<string, WaitingGroup<P, T> & { readonly proposals: P[] }>();
  for (const proposal of proposals) {
    const turn = turnOf.get(proposal.id);
    const { agent } = proposal;
    const key = turn ? `turn:${turn.id}` : `agent:${agent}`;
    const group = groups.get(key) ?? { key, agent, turn, proposals: [] };
    group.proposals.push(proposal);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** How far a group is: how many proposals of its turn have ended, and how many there are. */
export function progressOf<P extends AnyProposal, T extends AnyTurn>({
  turn,
  proposals,
}: WaitingGroup<P, T>) {
  const decided = turn?.decided ?? 0;
  return { decided, total: decided + (turn?.waiting.length ?? proposals.length) };
}

/** The patterns of a text that a user types: one a line, or with commas between them. */
export const toStopPatterns = (text: string): readonly string[] =>
  text
    .split(/[\n,]/)
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== "");
