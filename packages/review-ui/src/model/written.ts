import { computed, signal } from "@preact/signals";
import { explainError, type WrittenFile } from "./api.ts";
import type { Base } from "./base.ts";
import type { FileStamps } from "./frontend-state.ts";
import type { ScrollPlace } from "./scroll.ts";
import type { Stored } from "./stored.ts";
import { tabId } from "./tabs.ts";

/** What one turn of an agent has written without asking and nobody has looked at. */
export interface WrittenTurn extends Pick<WrittenFile, "agent" | "title" | "at" | "isOver"> {
  readonly id: string;
  readonly files: readonly [WrittenFile, ...WrittenFile[]];
  readonly added: number;
  readonly removed: number;
  readonly revision: string;
}

/** What is kept or reverted: a turn, or a file of it. */
type Subject = Pick<WrittenFile, "id" | "revision">;

/** A change as its user sees it. */
export interface SeenChange {
  /** Among the changes of its file. */
  readonly index: number;
  /** Indexes of its hunks in the companion's comparison. */
  readonly hunks: readonly number[];
}

/** What agents have written without asking, by turn, and decisions about it. */
export function createWritten(base: Base, stamps: FileStamps) {
  const { frontend, tabs, scroll, send, toasts } = base;
  const { t } = base.wording;
  const turns = computed(() => toTurns(frontend.written.value));
  const decided = signal<readonly string[]>([]);
  /** Ids of files that are marked as they are now. */
  const viewed = signal<ReadonlySet<string>>(new Set());
  /** The turns that were over before: nothing is said of them. */
  let known: ReadonlySet<string> | undefined;

  function open(file: WrittenFile, { focus } = { focus: false }): void {
    scroll.place.value = { file: file.id, hunk: 0 };
    toasts.retract(tabId({ kind: "written", subject: file.turn }));
    tabs.open({ kind: "written", subject: file.turn }, { focus });
  }

  function announce({ id, agent, files, added, removed }: WrittenTurn): void {
    const [first, ...others] = files;
    const what = others.length === 0 ? first.label : t("$1 files", files.length);
    toasts.say({
      level: "info",
      subject: tabId({ kind: "written", subject: id }),
      text: t("$1 changed $2: +$3 −$4", agent, what, added, removed),
      action: { label: t("Look at it"), run: () => open(first) },
    });
  }

  return {
    turns,
    /** The files, for people, of the decision that `undo` undoes; none where there is none. */
    decided,
    open,
    isViewed: ({ id }: WrittenFile) => viewed.value.has(id),
    /** As it is now. The companion says so to all pages. */
    toggleViewed: ({ id, revision }: WrittenFile) => {
      send({ type: "viewed", id, hunks: viewed.value.has(id) ? [] : [revision] });
    },
    viewedReceived: (id: string, revisions: readonly string[]) => {
      const others = [...viewed.value].filter((other) => other !== id);
      const file = frontend.written.value.find((one) => one.id === id);
      viewed.value = new Set(file && revisions.includes(file.revision) ? [...others, id] : others);
    },
    ...createDecisions(base),
    find: (id: string) => turns.value.find((turn) => turn.id === id),
    /** Opens the next turn of the list. After the last comes the first. @returns false when there is none */
    step: () => {
      const active = tabs.active.value;
      const index = turns.value.findIndex(({ id }) => active?.kind === "written" && active.subject === id);
      const next = turns.value[(index + 1) % turns.value.length];
      if (next) open(next.files[0]);
      return next !== undefined;
    },
    received: (message: {
      readonly records: readonly WrittenFile[];
      readonly decided: readonly string[];
      readonly viewed: readonly string[];
    }) => {
      const files = message.records;
      decided.value = message.decided;
      viewed.value = new Set(message.viewed);
      const former = new Map(frontend.written.peek().map((file) => [file.id, file.revision]));
      frontend.written.value = files;
      for (const { id, filePath, revision } of files)
        if (former.get(id) !== revision) stamps.changed(filePath);
      const over = turns.value.filter(({ isOver }) => isOver);
      for (const turn of known ? over.filter(({ id }) => !known?.has(id)) : []) announce(turn);
      known = new Set([...(known ?? []), ...over.map(({ id }) => id)]);
    },
  };
}

/** One decision about a file or turn at a time, with a message that offers to undo it. */
function createDecisions({ frontend, stored, toasts, wording, scroll: { place } }: Base) {
  const { t, translate } = wording;
  const deciding = new Set<string>();

  async function run(decision: Parameters<Stored["decide"]>[0]) {
    // A key that is pressed again is meant for what is shown then.
    if (deciding.has(decision.id)) return false;
    deciding.add(decision.id);
    try {
      await stored.decide(decision);
      return true;
    } catch (error) {
      toasts.say({ level: "warning", subject: "written", text: translate(explainError(error)) });
      return false;
    } finally {
      deciding.delete(decision.id);
    }
  }

  const undo = async (back?: ScrollPlace) => {
    const notIn = frontend.written.value.find(({ id }) => id === back?.file)?.revision;
    if (!(await run({ id: "", action: "undo" }))) return;
    toasts.say({ level: "info", subject: "written", text: t("The last decision is undone.") });
    if (back) place.value = { ...back, ...(notIn !== undefined && { notIn }) };
  };

  return {
    undo,
    /**
     * Keeps or reverts what its user has seen.
     * @param name of what it is, for people
     * @param change of a file: this one alone. The keys go on at the next one, or at this one when it is undone
     */
    decide: async (action: "keep" | "revert", subject: Subject, name: string, change?: SeenChange) => {
      const { id, revision } = subject;
      if (!(await run({ id, action, revision, ...(change && { hunks: [...change.hunks] }) }))) return;
      const text = t(action === "keep" ? "Kept: $1" : "Reverted: $1", name);
      const at = change && { file: id, hunk: change.index };
      const undoing = { label: t("Undo"), run: () => void undo(at), isUndo: true };
      toasts.say({ level: "info", subject: "written", text, action: undoing });
      if (at) place.value = { ...at, notIn: revision };
    },
  };
}

function toTurns(files: readonly WrittenFile[]): readonly WrittenTurn[] {
  const byTurn = new Map<string, [WrittenFile, ...WrittenFile[]]>();
  for (const file of files) {
    const known = byTurn.get(file.turn);
    if (known) known.push(file);
    else byTurn.set(file.turn, [file]);
  }
  return [...byTurn].map(([id, files]) => {
    const [{ agent, title, at, isOver }] = files;
    const sum = (count: (file: WrittenFile) => number) => files.reduce((all, file) => all + count(file), 0);
    return {
      ...{ id, agent, title, at, isOver, files },
      ...{ added: sum(({ added }) => added), removed: sum(({ removed }) => removed) },
      revision: files.map(({ revision }) => revision).join(" "),
    };
  });
}
