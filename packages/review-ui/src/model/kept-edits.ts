import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { Api } from "./api.ts";
import type { FileText, JournalEntry, PageMessage } from "./wire.ts";

/** A text that the user has made of a proposal, and that no agent took. */
export interface KeptEdits {
  readonly id: string;
  readonly agent: string;
  readonly filePath: string;
  readonly label: string;
  /** Why it was not taken, for people. */
  readonly reason: string;
}

export interface KeptTexts {
  readonly mine: string;
  readonly onDisk: FileText;
}

/** The user's edits that would be lost otherwise: the door's journal keeps them, or this page does. */
export interface KeptEditsShelf {
  readonly list: ReadonlySignal<readonly KeptEdits[]>;
  /** Those the user has not been told of yet. */
  readonly news: ReadonlySignal<readonly KeptEdits[]>;
  find(id: string): KeptEdits | undefined;
  /** The companion was restarted: only this page still has the text. */
  keep(edits: KeptEdits, text: string): void;
  journalReceived(entries: readonly JournalEntry[]): void;
  /** @throws ApiError when the door has it no more. */
  read(id: string): Promise<KeptTexts>;
  /** Puts a card away; the text stays. */
  dismiss(id: string): void;
  discard(id: string): void;
}

export function createKeptEditsShelf(api: Api, send: (message: PageMessage) => boolean): KeptEditsShelf {
  const inJournal = signal<readonly KeptEdits[]>([]);
  const inPage = signal<readonly (KeptEdits & { readonly text: string })[]>([]);
  const newIds = signal<ReadonlySet<string>>(new Set());
  let known: ReadonlySet<string> | undefined;
  const list = computed<readonly KeptEdits[]>(() => [...inPage.value, ...inJournal.value]);
  const find = (id: string) => list.value.find((one) => one.id === id);

  function journalReceived(entries: readonly JournalEntry[]): void {
    const kept = entries.filter(({ hasUnsavedEdits }) => hasUnsavedEdits).map(toKeptEdits);
    // What was there when the page opened is in the journal for whoever looks for it.
    const fresh = known ? kept.filter(({ id }) => !known?.has(id)) : [];
    known = new Set(kept.map(({ id }) => id));
    inJournal.value = kept;
    if (fresh.length > 0) newIds.value = new Set([...newIds.value, ...fresh.map(({ id }) => id)]);
  }

  function dismiss(id: string): void {
    newIds.value = new Set([...newIds.value].filter((one) => one !== id));
  }

  async function read(id: string): Promise<KeptTexts> {
    const own = inPage.value.find((one) => one.id === id);
    if (own) return { mine: own.text, onDisk: await readOrExplain(api, own.filePath) };
    const { unsavedEdits = "", onDisk } = await api.journal(id);
    return { mine: unsavedEdits, onDisk };
  }

  return {
    list,
    news: computed(() => list.value.filter(({ id }) => newIds.value.has(id))),
    find,
    keep: (edits, text) => {
      inPage.value = [{ ...edits, text }, ...inPage.value];
      newIds.value = new Set([...newIds.value, edits.id]);
    },
    journalReceived,
    read,
    dismiss,
    discard: (id) => {
      dismiss(id);
      if (inPage.value.some((one) => one.id === id))
        inPage.value = inPage.value.filter((one) => one.id !== id);
      else send({ type: "discard", entry: id });
    },
  };
}

function toKeptEdits({ id, agent, filePath, label, text }: JournalEntry): KeptEdits {
  return { id, agent, filePath, label, reason: text };
}

/** A restarted door may not let us read what lies outside its folders. */
async function readOrExplain(api: Api, filePath: string): Promise<FileText> {
  try {
    return await api.file(filePath);
  } catch (error) {
    return { kind: "unreadable", reason: error instanceof Error ? error.message : String(error) };
  }
}
