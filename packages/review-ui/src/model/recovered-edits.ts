import { batch, computed, signal } from "@preact/signals";
import { type Api, type EditsSummary, type EditsTexts, explainError, type FileText } from "./api.ts";
import type { Ask } from "./connection.ts";
import { recall, remember } from "./preferences.ts";

/** A text that only this page has. */
export interface LooseEdits extends Omit<EditsSummary, "id" | "at" | "openedAt"> {
  readonly proposed: string;
  readonly text: string;
  /** When the change was proposed. */
  readonly openedAt: number;
}

/** The user's edits that would be lost otherwise. The companion stores them; until then the page does. */
export type RecoveredEditsStore = ReturnType<typeof createRecoveredEditsStore>;

export function createRecoveredEditsStore(api: Api, ask: Ask, warn: (error: unknown) => void) {
  const recovered = signal<readonly EditsSummary[]>([]);
  const inPage = signal<readonly (EditsSummary & LooseEdits)[]>([]);
  const newIds = signal<ReadonlySet<string>>(new Set());
  const list = computed<readonly EditsSummary[]>(() => [...inPage.value, ...recovered.value]);
  const shown = recall(localStorage, "edits");
  let known: ReadonlySet<unknown> = new Set(Array.isArray(shown) ? shown : []);
  /** Ids in the companion, by those that this page had given. */
  const storedAs = new Map<string, string>();
  const toStored = (id: string) => storedAs.get(id) ?? id;

  function editsReceived(edits: readonly EditsSummary[]): void {
    // One of this page is as new as it was under its first id: the user may be looking at it.
    const seen = inPage.value.filter(({ id }) => !newIds.value.has(id)).map(({ id }) => toStored(id));
    const fresh = edits.filter(({ id }) => !known.has(id) && !seen.includes(id));
    known = new Set(edits.map(({ id }) => id));
    remember(localStorage, "edits", [...known]); // a reload does not bring the notice back
    batch(() => {
      recovered.value = edits;
      inPage.value = inPage.value.filter(({ id }) => !storedAs.has(id));
      if (fresh.length > 0) newIds.value = new Set([...newIds.value, ...fresh.map(({ id }) => id)]);
    });
    // A companion that has just started may not have them.
    for (const one of inPage.value) void store(one);
  }

  async function store(one: EditsSummary & LooseEdits): Promise<void> {
    const { id, label: _, outsideRoots: __, at: ___, ...edits } = one;
    try {
      // The next list has it.
      storedAs.set(id, (await ask({ type: "keep-edits", ...edits })).id);
    } catch (error) {
      warn(error); // the page has the text still
    }
  }

  function add(edits: LooseEdits): void {
    const one = { ...edits, id: crypto.randomUUID(), at: Date.now() };
    inPage.value = [one, ...inPage.value];
    newIds.value = new Set([...newIds.value, one.id]);
    void store(one);
  }

  async function read(id: string): Promise<EditsTexts> {
    const own = inPage.value.find((one) => one.id === id);
    if (own) return { text: own.text, onDisk: await readOrExplain(api, own.filePath) };
    return api.edits(toStored(id));
  }

  return {
    list,
    /** Those that the user has not seen yet. */
    news: computed(() => list.value.filter(({ id }) => newIds.value.has(id))),
    /** Those of an id, also by the one that they had while only this page had them. */
    find: (id: string) => list.value.find((one) => one.id === id || one.id === toStored(id)),
    /** Adds a text, and sends it to the companion to store it. */
    add,
    editsReceived,
    /** @throws ApiError when the frontend does not have it any more */
    read,
    /** The user has seen them. The texts stay. */
    dismiss: () => {
      newIds.value = new Set();
    },
    discard: (id: string) => {
      inPage.value = inPage.value.filter((one) => one.id !== id);
      ask({ type: "act", list: "edits", id: toStored(id), action: "discard" }).catch(warn);
    },
  };
}

/** A restarted frontend may refuse to read files outside its folders. */
async function readOrExplain(api: Api, filePath: string): Promise<FileText> {
  try {
    return await api.file(filePath);
  } catch (error) {
    return { kind: "unreadable", reason: explainError(error) };
  }
}
