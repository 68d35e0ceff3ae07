import { randomUUID } from "node:crypto";
import type { Comment, Proposal } from "../../core/editor.ts";
import type { FileResult, Settlement } from "../../core/events.ts";
import { outcomeText } from "../../core/history/history.ts";
import type { Later } from "../../core/history/past-decision.ts";
import type { FileText } from "../../files/file-text.ts";
import type { HistoryEntry } from "./protocol.ts";

/** How many outcomes are remembered, and for how many UTF-16 units of text late edits are taken. */
const defaultLimits = { entries: 200, units: 32 * 1024 * 1024 };

/** A proposal's name and figures in the history. */
export type HistoryFigures = Pick<HistoryEntry, "label" | "added" | "removed">;

export interface SettledProposal {
  readonly proposal: Proposal;
  readonly settlement: Settlement;
  /** As the pages name the proposal. */
  readonly wireId: string;
  /** Its text when it was closed. */
  readonly draft: string;
  /** Takes what comes after the decision; a page that came later has no such text. */
  readonly saveDraft: ((text: string) => void) | undefined;
  readonly saveComments?: ((comments: readonly Comment[]) => void) | undefined;
  readonly figures: HistoryFigures;
  readonly turn: string | undefined;
  /** The file when the change was proposed; a page that came later does not know. */
  readonly before: FileText | undefined;
}

/** What a proposal was about. */
export interface SettledTexts {
  /** The file when the change was proposed. */
  readonly before: FileText;
  readonly proposed: string;
  /** The text that was accepted; or as it stood when the proposal ended otherwise. */
  readonly final: string;
  /** What was sent with the decision. */
  readonly comments?: readonly Comment[];
}

/** The texts of an entry, and whose they are. */
export interface PastTexts extends SettledTexts {
  readonly filePath: string;
  readonly outcome: HistoryEntry["outcome"];
}

/** Without the file as long as it has not been read. */
type KeptTexts = Omit<SettledTexts, "before"> & { readonly before: FileText | undefined };

interface Kept {
  entry: HistoryEntry;
  readonly wireId: string;
  /** As the core names it. */
  readonly proposalId: string;
  /** Holds the whole proposal in memory, as long as there is room. */
  late: Late | undefined;
  texts: KeptTexts | undefined;
  /** How much text it holds in memory. */
  units: number;
}

/** Takes edits and comments that come after the decision. */
interface Late {
  readonly saveDraft: (text: string) => void;
  readonly saveComments: SettledProposal["saveComments"];
  /** Texts that need not be kept again: what was proposed, and what the outcome was. */
  readonly known: readonly string[];
  /** A rejection does not give up the edits: see `readOnlyReason`. */
  readonly outlastsRejection: boolean;
}

/** What became of a text that came after the decision. */
export interface LateText {
  /** The outcome for people. */
  readonly outcome: string;
  readonly isKept: boolean;
}

/** Proposals that have been settled, newest first. */
export interface History {
  readonly entries: readonly HistoryEntry[];
  /** The core's ids of the proposals of this run that are in it. */
  readonly proposalIds: readonly string[];
  /** @returns the new entry's id. */
  record(settled: SettledProposal): string;
  /** Corrects an entry once its figures have been counted, and adds the file that it began with. */
  correct(entryId: string, figures: HistoryFigures, before?: FileText): void;
  has(entryId: string): boolean;
  /**
   * A page's text for a proposal that is settled: kept, unless it is known.
   * @returns undefined when no such proposal is remembered.
   */
  keepLate(wireId: string, text: string, kind: "draft" | "accept"): LateText | undefined;
  /** A page's comments on a proposal that is settled. */
  commentLate(wireId: string, comments: readonly Comment[]): void;
  /** What became of the file of an accepted proposal. */
  noteFile(wireId: string, result: FileResult): void;
  /**
   * The user has undone an entry, or put its change into the file.
   * @returns the core's id of its proposal; undefined for decisions of earlier runs
   */
  noteLater(entryId: string, later: Later): string | undefined;
  /** The user's text of a proposal is among the recovered edits. */
  noteEdits(wireId: string, editsId: string): void;
  /** Recovered edits have been discarded, or have come to their file. */
  forgetEdits(isThere: (editsId: string) => boolean): void;
  /** What an entry was about, as long as there is room for it. */
  textsOf(entryId: string): PastTexts | undefined;
  /**
   * Shows the decisions of earlier runs after those of this one.
   * @param entries newest first
   */
  useEarlier(entries: readonly HistoryEntry[], textsOf: (entryId: string) => PastTexts | undefined): void;
  /** How a proposal ended, for people; undefined when it is not remembered. */
  outcomeOf(wireId: string): string | undefined;
  holds(filePath: string): boolean;
}

export interface HistoryOptions {
  readonly onChange: () => void;
  readonly limits?: { readonly entries: number; readonly units: number };
}

export function createHistory({ onChange, limits = defaultLimits }: HistoryOptions): History {
  /** By the entry's id, oldest first. */
  const kept = new Map<string, Kept>();
  const byWireId = new Map<string, Kept>();
  let units = 0;
  let earlier: Parameters<History["useEarlier"]> = [[], () => undefined];

  function record(settled: SettledProposal): string {
    const entry = toEntry(settled);
    const { proposal, settlement, wireId, draft, saveDraft, saveComments, before } = settled;
    const final = settlement.kind === "accepted" ? settlement.content : draft;
    const proposed = proposal.newContent;
    const late = saveDraft && {
      ...{ saveDraft, saveComments, known: [proposed, final] },
      outlastsRejection: proposal.readOnlyReason !== undefined,
    };
    const one: Kept = { entry, wireId, proposalId: proposal.id, late, texts: undefined, units: 0 };
    kept.set(entry.id, one);
    byWireId.set(wireId, one);
    const comments = settlement.kind === "closed" ? undefined : settlement.comments;
    holdTexts(one, { before, proposed, final, ...(comments && { comments }) });
    onChange();
    return entry.id;
  }

  function holdTexts(one: Kept, texts: KeptTexts): void {
    units -= one.units;
    one.texts = texts;
    one.units = unitsOf(texts);
    units += one.units;
    for (const oldest of kept.values()) {
      if (kept.size > limits.entries) forget(oldest);
      else if (units > limits.units) dropTexts(oldest);
      else break;
    }
  }

  function forget(one: Kept): void {
    dropTexts(one);
    kept.delete(one.entry.id);
    byWireId.delete(one.wireId);
  }

  function dropTexts(one: Kept): void {
    units -= one.units;
    one.late = undefined;
    one.texts = undefined;
    one.units = 0;
  }

  function keepLate(wireId: string, text: string, kind: "draft" | "accept"): LateText | undefined {
    const one = byWireId.get(wireId);
    if (!one) return undefined;
    const outcome = one.entry.text;
    // Who rejects a change has given up the edits in it; who accepts one in another page has not.
    const isUnwanted = kind === "draft" && one.entry.outcome === "rejected" && !one.late?.outlastsRejection;
    if (!one.late || isUnwanted || one.late.known.includes(text)) return { outcome, isKept: false };
    one.late.saveDraft(text);
    return { outcome, isKept: true };
  }

  function change(one: Kept | undefined, news: Partial<HistoryEntry>): void {
    if (!one) return;
    one.entry = { ...one.entry, ...news };
    onChange();
  }

  return {
    get entries() {
      const own = [...kept.values()].reverse().map(({ entry }) => entry);
      return [...own, ...earlier[0]].slice(0, limits.entries);
    },
    get proposalIds() {
      return [...kept.values()].map(({ proposalId }) => proposalId);
    },
    record,
    correct: (entryId, figures, before) => {
      const one = kept.get(entryId);
      if (one?.texts && before) holdTexts(one, { ...one.texts, before });
      change(one, figures);
    },
    has: (entryId) => kept.has(entryId),
    keepLate,
    commentLate: (wireId, comments) => byWireId.get(wireId)?.late?.saveComments?.(comments),
    noteFile: (wireId, fileResult) => change(byWireId.get(wireId), { fileResult }),
    noteLater: (entryId, later) => {
      const own = kept.get(entryId);
      change(own, { later });
      const [entries, textsOf] = earlier;
      earlier = [entries.map((one) => (one.id === entryId ? { ...one, later } : one)), textsOf];
      if (!own) onChange();
      return own?.proposalId;
    },
    noteEdits: (wireId, editsId) => change(byWireId.get(wireId), { editsId }),
    forgetEdits: (isThere) => {
      for (const one of kept.values()) {
        const { editsId, ...rest } = one.entry;
        if (editsId === undefined || isThere(editsId)) continue;
        one.entry = rest;
        onChange();
      }
    },
    textsOf: (entryId) => {
      const { texts, entry } = kept.get(entryId) ?? {};
      if (!entry) return earlier[1](entryId);
      const { filePath, outcome } = entry;
      return texts?.before && { ...texts, before: texts.before, filePath, outcome };
    },
    useEarlier: (...given) => {
      earlier = given;
      onChange();
    },
    outcomeOf: (wireId) => byWireId.get(wireId)?.entry.text,
    holds: (filePath) =>
      [...kept.values()].some(({ entry }) => entry.filePath === filePath) ||
      earlier[0].some((entry) => entry.filePath === filePath),
  };
}

function toEntry({ proposal, settlement, figures, wireId, turn }: SettledProposal): HistoryEntry {
  return {
    id: randomUUID(),
    proposalId: wireId,
    at: Date.now(),
    agent: proposal.agent,
    filePath: proposal.filePath,
    ...figures,
    outcome: settlement.kind,
    text: outcomeText(proposal, settlement),
    ...(turn !== undefined && { turn }),
  };
}

/** How much text is in memory: each is there once. */
function unitsOf({ before, proposed, final }: KeptTexts): number {
  const original = before?.kind === "text" ? before.text : "";
  const others = (final === proposed ? 0 : final.length) + proposed.length;
  return others + (original === proposed || original === final ? 0 : original.length);
}
