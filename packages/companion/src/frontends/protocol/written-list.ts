import { dirname, relative } from "node:path";
import { displayNameOf } from "../../agents/agents.ts";
import { linesAsShown } from "../../core/hunks.ts";
import { faintDifferences, revertTroubles, withheld } from "../../core/sentences.ts";
import { sourceOf } from "../../core/written/renames.ts";
import type { Bytes } from "../../core/written/texts.ts";
import type { Written, WrittenFile } from "../../core/written/written.ts";
import { type FaintDifference, findFaintDifference } from "../../files/comparable-text.ts";
import { toFileText } from "../../files/file-text.ts";
import { hashOf } from "../../files/text-hash.ts";
import type { PathLabel } from "../../files/workspace-path.ts";
import type { News } from "./list-messages.ts";
import { refuse, type StoredList, toComparison } from "./stored-list.ts";
import type { WrittenHunks } from "./written-messages.ts";

/** What one turn of an agent has made of one file. */
export interface WrittenRecord {
  /** Names turn and file, also after a restart. */
  readonly id: string;
  readonly agent: string;
  readonly filePath: string;
  /** When its turn began, in milliseconds since 1970. */
  readonly at: number;
  /** The first line of its prompt; empty where that is not known. */
  readonly title: string;
  readonly turn: string;
  readonly kind: "added" | "modified" | "deleted";
  /** The file that its turn has deleted, and whose text it has, or most of it. */
  readonly renamedFrom?: string;
  readonly added: number;
  readonly removed: number;
  /** There is no other difference. */
  readonly faint?: FaintDifference;
  /** Why its texts are not kept. */
  readonly withheld?: keyof typeof withheld;
  /** Another one whenever the file was or is another one. */
  readonly revision: string;
  /** Its turn has ended, as far as is known. */
  readonly isOver: boolean;
}

/** What agents wrote without asking, by turn and file. */
export const written: StoredList<WrittenRecord> = {
  title: "Written without asking",
  none: "Nothing that an agent wrote without asking waits for you.",
  maxRecords: 2000,
  records: async ({ written }) => toRecords(await written.read()),
  isEverywhere: () => false,
  describe: ({ title, filePath, kind, renamedFrom, added, removed, faint, withheld: why }) => {
    const become = renamedFrom ? `renamed from ${relative(dirname(filePath), renamedFrom)}` : kind;
    const only = faint ? `${faintDifferences[faint]}, ` : "";
    const what = why === undefined ? `${become}, ${only}+${added} −${removed}` : withheld[why];
    return title === "" ? what : `${what}: ${title}`;
  },
  hunks({ turn, filePath, agent, title }, { written }) {
    const file = written.latest?.fileAt(filePath);
    const own = file && toHunks(file).filter((hunk) => hunk.turn === turn);
    const of = title === "" ? agent : `${agent}: ${title}`;
    return own?.map(({ id, line, added, removed }) => ({
      ...{ id, line, text: `+${added} −${removed.length} ${of}` },
    }));
  },
  actions: [
    { code: "show", name: "shows the change" },
    { code: "keep", name: "keeps it" },
    { code: "revert", name: "reverts it" },
  ],
  async act(id, action, { stores, label }) {
    const waiting = await stores.written.read();
    const { record, change, source } = findItem(waiting, id) ?? refuse("This change does not wait any more.");
    const { filePath, agent } = record;
    const selection = { turn: change.turn, paths: [filePath] };
    const name = await label({ filePath });
    if (action === "keep") {
      waiting.keep(selection);
      return { message: `Kept: ${name}.`, removed: true };
    }
    if (action === "revert") {
      const plan = waiting.planRevert(selection);
      if (plan.kind === "impossible") return { message: `${name}: ${revertTroubles[plan.reason]}` };
      const [text] = waiting.textsOf(plan.plans);
      const content = toText(text?.after);
      if (content !== null) stores.written?.tellOnceSaved(waiting, plan.plans, { filePath, text: content });
      return { put: { filePath, content, what: "the file without the change", onlySaved: true } };
    }
    if (change.withheld) refuse(`${name}: ${withheld[change.withheld]}.`);
    const before = { name: "Before", text: toText((source ?? change).before) ?? "" };
    const after = { name: agent, text: toText(change.after) ?? "" };
    return { message: `${agent}: ${name}`, compare: toComparison(name, before, after) };
  },
};

/** What a turn has made of a file, and the deleted one that it was, by the id of its record. */
export const findItem = (waiting: Written, id: string) =>
  itemsOf(waiting, (turn, path) => idOf(turn, path) === id)[0];

/** @param id only that of this id, or those of this turn */
export const toRecords = (waiting: Written, id?: string): WrittenRecord[] =>
  itemsOf(waiting, (turn, path) => id === undefined || [turn, idOf(turn, path)].includes(id)).map(
    ({ record }) => record,
  );

/** Of the record of a turn and a file. */
export const idOf = (turn: string, path: string) => hashOf(`${turn} ${path}`).slice(0, 16);

function itemsOf(waiting: Written, isWanted: (turn: string, path: string) => boolean) {
  return waiting.list(isWanted).flatMap(({ agent, title, startedAt: at, endedAt, changes }) =>
    changes.map((change) => {
      const { turn, path: filePath, kind, added, removed, withheld, revision, before, after } = change;
      const faint = before && after ? findFaintDifference(before, after) : undefined;
      const source = kind === "added" ? sourceOf(waiting, change) : undefined;
      const record: WrittenRecord = {
        id: idOf(turn, filePath),
        ...{ turn, agent: displayNameOf(agent), filePath, at, title, isOver: endedAt !== undefined },
        ...{ kind, added, removed, revision, ...(faint && { faint }), ...(withheld && { withheld }) },
        ...(source && { renamedFrom: source.path }),
      };
      return { record, change, source };
    }),
  );
}

/** @param bytes one character each; null where there is no file @throws Error when they are no text */
export function toText(bytes: Bytes | undefined): string | null {
  const file = typeof bytes === "string" ? toFileText(Buffer.from(bytes, "latin1"), "") : undefined;
  if (bytes === null) return null;
  return file?.kind === "text" && file.exact ? file.text : refuse("It is no text that can be shown.");
}

/** For people who read them in their file. */
export function toHunks({ hunks, before, after }: WrittenFile): WrittenHunks["hunks"] {
  const [old, lines] = [before ?? "", after].map(linesIn);
  const seen = new Map<string, number>();
  if (!old || !lines) return [];
  return hunks.map(({ line, added, at, removed, turn }) => {
    const [gone, come] = [old.slice(at, at + removed), lines.slice(line, line + added)];
    const hash = hashOf(JSON.stringify([gone, come])).slice(0, 8);
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    const agent = displayNameOf(turn.agent);
    return { id: `${hash}-${count}`, agent, turn: turn.id, line: line + 1, added, removed: gone };
  });
}

/** @returns undefined for what is no text */
function linesIn(bytes: string): readonly string[] | undefined {
  const text = textOf(bytes);
  return text === undefined ? undefined : linesAsShown(text).map((line) => line.replace(/\n$/, ""));
}

/** Also of what only looks like a text: it is shown, and nothing is written from it. */
export function textOf(bytes: string): string | undefined {
  const file = toFileText(Buffer.from(bytes, "latin1"), "");
  return file.kind === "text" ? file.text : undefined;
}

/** What a user hears when a turn is over. @param written what it has left to look at; undefined for nothing */
export function newsOfTurn(written: readonly (WrittenRecord & PathLabel)[]): News | undefined {
  const [first] = written;
  if (!first) return undefined;
  const sum = (count: (record: WrittenRecord) => number) =>
    written.reduce((total, record) => total + count(record), 0);
  const files = written.length === 1 ? first.label : `${written.length} files`;
  const lines = `+${sum(({ added }) => added)} −${sum(({ removed }) => removed)}`;
  return { severity: "info", text: `${first.agent} changed ${files}: ${lines}`, list: "written" };
}
