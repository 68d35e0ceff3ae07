import type { HeldProposal } from "./held-proposal.ts";
import type { History, HistoryFigures } from "./history.ts";
import type { ProposalSummary } from "./protocol.ts";

/** Milliseconds until they are counted: an agent that opens and closes many diffs at once has its answers first. */
const delay = 100;

/** Figures of proposals that ended before any page was shown them: the history has them a moment later. */
export interface UnseenFigures {
  /** @param entry of the history */
  add(entry: string, held: HeldProposal): void;
  close(): void;
}

export function createUnseenFigures(history: Pick<History, "correct" | "has">): UnseenFigures {
  const waiting = new Map<string, HeldProposal>();
  let timer: NodeJS.Timeout | undefined;

  async function countAll(): Promise<void> {
    const batch = [...waiting];
    waiting.clear();
    for (const [entry, held] of batch) {
      if (!history.has(entry)) continue;
      const summary = await held.counted();
      history.correct(entry, figuresOf(summary), held.before);
    }
    timer = undefined;
    if (waiting.size > 0) countSoon();
  }

  function countSoon(): void {
    timer ??= setTimeout(() => void countAll(), delay).unref();
  }

  return {
    add: (entry, held) => {
      void held.original; // read before the agent has its answer, and writes
      waiting.set(entry, held);
      countSoon();
    },
    close: () => {
      clearTimeout(timer);
      waiting.clear();
    },
  };
}

export function figuresOf({ label, added, removed }: ProposalSummary): HistoryFigures {
  return { label, added, removed };
}
