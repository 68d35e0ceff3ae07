import { createHash, randomUUID } from "node:crypto";
import type { Settlement } from "../../companion-event.ts";
import type { Proposal } from "../../editor.ts";
import type { JournalEntry } from "./protocol.ts";

/** How many outcomes are remembered, and how much edited text, in UTF-16 units of 2 bytes. */
const defaultLimits = { entries: 200, keptBytes: 64 * 1024 * 1024 };

/** A proposal's name and figures in the journal. */
export interface JournalFigures {
  readonly label: string;
  readonly added: number;
  readonly removed: number;
}

export interface SettledProposal {
  readonly proposal: Proposal;
  readonly settlement: Settlement;
  /** As the pages name the proposal. */
  readonly wireId: string;
  /** Its text when it was closed. */
  readonly draft: string;
  readonly figures: JournalFigures;
}

interface Kept {
  entry: JournalEntry;
  readonly wireId: string;
  /** Texts that need not be kept again: what was proposed, and what the outcome was. */
  readonly known: ReadonlySet<string>;
  edits: string | undefined;
}

/** What became of a text that came after the decision. */
export interface LateText {
  /** The outcome for people. */
  readonly outcome: string;
  readonly isKept: boolean;
}

/** Proposals that have been settled, newest first, with the edits that no agent took. */
export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** @returns the new entry's id. */
  record(settled: SettledProposal): string;
  /** Corrects an entry once its figures have been counted. */
  correct(entryId: string, figures: JournalFigures): void;
  /**
   * A page's text for a proposal that is settled: kept, unless it is known.
   * @returns undefined when no such proposal is remembered.
   */
  keepLate(wireId: string, text: string, kind: "draft" | "accept"): LateText | undefined;
  /**
   * The text that was accepted, when the agent has never taken it.
   * @returns false when no such proposal is remembered, or another text of it is kept.
   */
  keepUntaken(wireId: string, text: string): boolean;
  /** How a proposal ended, for people; undefined when it is not remembered. */
  outcomeOf(wireId: string): string | undefined;
  discard(entryId: string): void;
  find(entryId: string): { readonly filePath: string; readonly unsavedEdits?: string } | undefined;
  holds(filePath: string): boolean;
}

export interface JournalOptions {
  readonly onChange: () => void;
  /** Kept edits had to go. */
  readonly onDropped: (entry: JournalEntry) => void;
  readonly limits?: { readonly entries: number; readonly keptBytes: number };
}

export function createJournal({ onChange, onDropped, limits = defaultLimits }: JournalOptions): Journal {
  let kept: Kept[] = [];
  const find = (entryId: string) => kept.find(({ entry }) => entry.id === entryId);

  function record(settled: SettledProposal): string {
    const entry = toEntry(settled);
    const { proposal, settlement, wireId, draft } = settled;
    const final = settlement.kind === "accepted" ? settlement.content : draft;
    const known = new Set([proposal.newContent, final].map(digestOf));
    kept.unshift({ entry, wireId, known, edits: settlement.unsavedEdits });
    shrink();
    onChange();
    return entry.id;
  }

  function shrink(): void {
    while (kept.length > limits.entries) {
      const oldest = kept.findLastIndex(({ edits }) => edits === undefined);
      drop(oldest > 0 ? oldest : kept.length - 1);
    }
    let bytes = 0;
    for (const one of kept) {
      bytes += 2 * (one.edits?.length ?? 0);
      if (bytes > limits.keptBytes && one.edits !== undefined) forgetEdits(one);
    }
  }

  function drop(index: number): void {
    for (const one of kept.splice(index, 1)) if (one.edits !== undefined) onDropped(one.entry);
  }

  function forgetEdits(one: Kept): void {
    one.edits = undefined;
    one.entry = { ...one.entry, hasUnsavedEdits: false };
    onDropped(one.entry);
  }

  function keepLate(wireId: string, text: string, kind: "draft" | "accept"): LateText | undefined {
    const one = kept.find((candidate) => candidate.wireId === wireId);
    if (!one) return undefined;
    const outcome = one.entry.text;
    // Who rejects a change has given up the edits in it; who accepts one in another page has not.
    const isUnwanted = kind === "draft" && one.entry.outcome === "rejected";
    if (isUnwanted || one.known.has(digestOf(text))) return { outcome, isKept: false };
    keep(one, text);
    return { outcome, isKept: one.edits !== undefined };
  }

  function keepUntaken(wireId: string, text: string): boolean {
    const one = kept.find((candidate) => candidate.wireId === wireId);
    // Another page's late text has the place already.
    if (!one || one.edits !== undefined) return false;
    one.entry = { ...one.entry, text: `${one.entry.text}, but not written to the file` };
    keep(one, text);
    return true;
  }

  function keep(one: Kept, text: string): void {
    one.edits = text;
    one.entry = { ...one.entry, hasUnsavedEdits: true };
    shrink();
    onChange();
  }

  return {
    get entries() {
      return kept.map(({ entry }) => entry);
    },
    record,
    correct: (entryId, figures) => {
      const one = find(entryId);
      if (!one) return;
      one.entry = { ...one.entry, ...figures };
      onChange();
    },
    keepLate,
    keepUntaken,
    outcomeOf: (wireId) => kept.find((candidate) => candidate.wireId === wireId)?.entry.text,
    discard: (entryId) => {
      kept = kept.filter(({ entry }) => entry.id !== entryId);
      onChange();
    },
    find: (entryId) => {
      const one = find(entryId);
      if (!one) return undefined;
      const { entry, edits } = one;
      return { filePath: entry.filePath, ...(edits === undefined ? {} : { unsavedEdits: edits }) };
    },
    holds: (filePath) => kept.some(({ entry }) => entry.filePath === filePath),
  };
}

/** Two texts with the same digest are the same, lone surrogates included. */
function digestOf(text: string): string {
  return createHash("sha256").update(text, "utf16le").digest("base64");
}

function toEntry({ proposal, settlement, figures }: SettledProposal): JournalEntry {
  return {
    id: randomUUID(),
    at: Date.now(),
    agent: proposal.agent,
    filePath: proposal.filePath,
    ...figures,
    outcome: settlement.kind,
    text: outcomeText(proposal, settlement),
    hasUnsavedEdits: settlement.unsavedEdits !== undefined,
  };
}

const closings = {
  agent: "decided in the terminal",
  replaced: "replaced by a newer proposal",
  "session-ended": "its CLI went away",
  shutdown: "the companion stopped",
} as const;

/** The outcome for people. */
export function outcomeText(proposal: Proposal, settlement: Settlement): string {
  if (settlement.kind === "closed") return closings[settlement.reason];
  const byAgent = settlement.by === "agent" ? ` by ${proposal.agent}` : "";
  if (settlement.kind === "rejected") return `rejected${byAgent}`;
  const withEdits = settlement.content === proposal.newContent ? "" : " with your edits";
  return `accepted${byAgent}${withEdits}`;
}
