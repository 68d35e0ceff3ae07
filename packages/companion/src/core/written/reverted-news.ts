import { diffLines, linesOf } from "../../files/line-diff.ts";
import { toReadableText } from "../../files/written-form.ts";
import { Feedback } from "./feedback.ts";
import type { Bytes } from "./texts.ts";
import type { Turn } from "./turns.ts";

/** What was taken out of a file, of what one turn has made of it. */
export interface Reverted {
  readonly turn: string;
  /** Absolute. */
  readonly path: string;
  readonly from: Bytes;
  readonly to: Bytes;
}

/** Lines that an agent is shown, of all files together, and UTF-16 units of each: it is to know which, not to read them again. */
const [maxLines, maxLength] = [40, 200];

/** What agents are to hear of what their users have reverted: each conversation of what it has written alone. */
export class RevertedNews {
  readonly #feedback: Feedback;
  readonly #turns: ReadonlyMap<string, Turn>;

  /** @param folder absolute path of the record */
  constructor(folder: string, turns: ReadonlyMap<string, Turn>) {
    this.#feedback = new Feedback(folder);
    this.#turns = turns;
  }

  /** Never throws. @param comment what the user says of it */
  tell(reverted: readonly Reverted[], decision: string, comment: string): void {
    for (const [to, own] of this.#byConversation(reverted))
      this.#add(to, decision, describeReverts(own, comment));
  }

  /** A decision is undone. Never throws. */
  tellUndone(parts: readonly { readonly turn: string; readonly path: string }[], decision: string): void {
    for (const [to, own] of this.#byConversation(parts)) {
      // Who has not heard of the one need not hear of the other.
      if (this.#feedback.withdraw(to, decision)) continue;
      const paths = own.map(({ path }) => path).join(", ");
      this.#add(to, decision, `The user has put back what was reverted in ${paths}.`);
    }
  }

  #byConversation<Part extends { readonly turn: string }>(
    parts: readonly Part[],
  ): ReadonlyMap<string, readonly Part[]> {
    const found = new Map<string, Part[]>();
    for (const part of parts) {
      const to = this.#turns.get(part.turn)?.conversation;
      if (to !== undefined) found.set(to, [...(found.get(to) ?? []), part]);
    }
    return found;
  }

  #add(to: string, decision: string, text: string): void {
    try {
      this.#feedback.add(to, decision, text);
    } catch {
      // The disk is full, and the files are as the user wants them.
    }
  }
}

function describeReverts(reverts: readonly Reverted[], comment: string): string {
  const lines = reverts.flatMap(describe);
  const shown = lines.slice(0, maxLines).map((line) => line.slice(0, maxLength));
  return [
    "The user has looked at what you wrote, and has reverted this (-: your line, which is gone; +: a line that is back):",
    ...shown,
    ...(lines.length > maxLines ? [`… and ${lines.length - maxLines} more lines`] : []),
    ...(comment === "" ? [] : [`The user's comment: ${comment}`]),
    "Do not write it again unless the user asks for it.",
  ].join("\n");
}

function describe({ path, from, to }: Reverted): readonly string[] {
  if (to === null) return [`${path}: the file that you made is gone`];
  if (from === null) return [`${path}: the file that you deleted is back`];
  const [before, after] = [from, to].map(linesOf);
  const toText = (line: string) => toReadableText(Buffer.from(line, "latin1")).trimEnd();
  return diffLines(before ?? [], after ?? []).flatMap(({ at, removed, line, added }) => [
    `${path}, line ${line + 1}:`,
    ...(before ?? []).slice(at, at + removed).map((one) => `- ${toText(one)}`),
    ...(after ?? []).slice(line, line + added).map((one) => `+ ${toText(one)}`),
  ]);
}
