import { createTwoFilesPatch } from "diff";
import type { ServedCompanion } from "../../companion.ts";
import type { ActionCode, Effect, Row } from "./list-messages.ts";

/** What holds what the lists list. */
export type Stores = Pick<ServedCompanion, "edits" | "comments" | "sendComments" | "history" | "written">;

/** The outcome of an action. Content `null`: the file is to be deleted. */
export interface Outcome extends Omit<Effect, "put"> {
  readonly put?: Omit<NonNullable<Effect["put"]>, "content"> & { readonly content: string | null };
}

/** One list of what a companion stores. */
export interface StoredList<Item> {
  readonly title: string;
  readonly none: string;
  /** How many are listed; 200 where it says nothing, which is what a user still looks through. */
  readonly maxRecords?: number;
  /** Newest first. */
  records(stores: Stores): Iterable<Item> | Promise<Iterable<Item>>;
  /** Whether it is listed where its file lies outside of the open folders. */
  isEverywhere(record: Item): boolean;
  /** Why it is in the list, or the outcome, for people. */
  describe(record: Item): string;
  /** All of it, for people who ask. */
  detail?(record: Item): string;
  /** Where it is in its file as that is now; undefined for nowhere. */
  hunks?(record: Item, stores: Stores): Row["hunks"];
  readonly actions: Row["actions"];
  /** Asked before a record is discarded; it names the file. */
  readonly question?: string;
  /** @throws Error when there is none of this id */
  act(id: string, action: ActionCode, by: Acting): Promise<Outcome>;
}

/** Who acts. */
export interface Acting {
  readonly stores: Stores;
  label(file: { readonly filePath: string }): Promise<string>;
}

/** The unified diff of two texts, for people. */
export function toComparison(label: string, before: ComparedText, after: ComparedText) {
  if (before.text === after.text) return { label, patch: "There is no difference.\n" };
  const sides = [before.text, after.text, before.name, after.name] as const;
  return { label, patch: createTwoFilesPatch(label, label, ...sides, { context: 3 }) };
}

interface ComparedText {
  readonly name: string;
  readonly text: string;
}

/** @throws Error with this sentence */
export function refuse(reason: string): never {
  throw new Error(reason);
}
