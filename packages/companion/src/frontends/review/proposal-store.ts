import type { Comment, Decision, DecisionResult, Proposal } from "../../core/editor.ts";
import type { FileText } from "../../files/file-text.ts";
import { createPathLabels } from "../../files/workspace-path.ts";
import { type Author, HeldProposal } from "./held-proposal.ts";
import type { ProposalSummary } from "./protocol.ts";

/** The companion tells outcomes at once; this bounds what one that does not would cost. */
const maxFormer = 256;

/** Milliseconds until a proposal is read, counted and shown: one that is closed within a frame costs none of that. */
const frame = 16;

/** Milliseconds for which newer proposals wait for the label and the figures of an older one. */
const patience = 1000;

/** The proposals that wait for a decision, oldest first. */
export interface ProposalStore {
  /** @throws Error when no diff can be shown; the message says why. */
  open(
    proposal: Proposal,
    decide: (decision: Decision) => DecisionResult,
    saveDraft: (text: string) => void,
    saveComments: (comments: readonly Comment[]) => void,
  ): HeldProposal;
  /** @param id as the companion names it. */
  get(id: string): HeldProposal | undefined;
  /** @param wireId as the pages name it. */
  find(wireId: string): HeldProposal | undefined;
  /** Whether a path is that of a waiting proposal. */
  holds(filePath: string): boolean;
  /** Takes a proposal off the store; it is remembered until its outcome is known. */
  remove(held: HeldProposal): void;
  /** The outcome of a proposal is known. @returns the proposal as it stood, when it was here. */
  conclude(id: string): HeldProposal | undefined;
  wireId(id: string): string;
  /** A page is closed: what it edited is free for the others. */
  release(page: Author): void;
  readonly summaries: readonly ProposalSummary[];
  readonly paths: readonly string[];
  /** The roots are others now. */
  relabel(): Promise<void>;
}

export interface ProposalStoreOptions {
  /** Tells this run's ids from an earlier one's, whose pages may still be open. */
  readonly instance: string;
  readonly roots: () => readonly string[];
  readonly onChange: () => void;
  /** The file of a proposal that is to be shown has been read. */
  readonly onRead: (path: string, text: FileText) => void;
}

export function createProposalStore({
  instance,
  roots,
  onChange,
  onRead,
}: ProposalStoreOptions): ProposalStore {
  const store = new Map<string, HeldProposal>();
  const labels = createPathLabels(roots);
  /** Taken away, their outcome not yet known. */
  const former = new Map<string, HeldProposal>();
  /** Their outcome known, not yet taken away. */
  const concluded = new WeakSet<HeldProposal>();
  const wireId = (id: string) => `${instance}.${id}`;
  const all = () => [...store.values()];

  /** Nobody waits for them any more. */
  const slow = new WeakSet<HeldProposal>();

  /** What the pages know of: in the order in which it was proposed, whichever was ready first. */
  function shown(): HeldProposal[] {
    const held = all();
    const awaited = held.findIndex((one) => !one.isReady && !slow.has(one));
    return held.slice(0, awaited < 0 ? undefined : awaited).filter((one) => one.isReady);
  }

  function open(
    proposal: Proposal,
    decide: (decision: Decision) => DecisionResult,
    saveDraft: (text: string) => void,
    saveComments: (comments: readonly Comment[]) => void,
  ): HeldProposal {
    if (proposal.base.kind === "folder") throw new Error(`${proposal.filePath} is a folder, not a file`);
    const isHere = () => store.get(proposal.id) === held;
    const held = new HeldProposal({
      proposal,
      decide,
      saveDraft,
      saveComments,
      wireId: wireId(proposal.id),
      labelOf: labels.of,
      onChange: () => {
        if (isHere() && shown().includes(held)) onChange();
      },
    });
    store.set(proposal.id, held);
    setTimeout(() => isHere() && show(held), frame).unref();
    return held;
  }

  function show(held: HeldProposal): void {
    void held.prepare();
    onRead(held.proposal.filePath, held.original);
    setTimeout(() => {
      slow.add(held);
      if (store.get(held.proposal.id) === held && !held.isReady) onChange();
    }, patience).unref();
  }

  return {
    open,
    get: (id) => store.get(id),
    find: (id) => all().find((held) => held.wireId === id),
    holds: (filePath) => all().some((held) => held.proposal.filePath === filePath),
    remove: (held) => {
      const { id } = held.proposal;
      const before = shown().length;
      if (!store.delete(id)) return;
      if (!concluded.has(held)) former.set(id, held);
      for (const oldest of former.keys()) if (former.size > maxFormer) former.delete(oldest);
      if (held.isReady || shown().length > before) onChange();
    },
    conclude: (id) => {
      const held = store.get(id) ?? former.get(id);
      former.delete(id);
      if (held) concluded.add(held);
      return held;
    },
    wireId,
    release: (page) => {
      for (const held of all()) held.release(page);
    },
    get summaries() {
      return shown().map((held) => held.summary);
    },
    get paths() {
      return shown().map((held) => held.proposal.filePath);
    },
    relabel: async () => {
      await Promise.all(all().map((held) => held.relabel()));
    },
  };
}
