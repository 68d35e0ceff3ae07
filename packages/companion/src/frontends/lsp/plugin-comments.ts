import { randomUUID } from "node:crypto";
import type { Comment, CommentChanges } from "../../core/editor.ts";
import { type HunkPlace, linesAsShown, placeHunks, placesBack } from "../../core/hunks.ts";
import type { WrittenComment } from "../protocol/comment-messages.ts";

/** The comments on a change that a plugin shows. They follow the lines of its texts. */
export class PluginComments {
  #all: readonly Comment[] = [];

  get all(): readonly Comment[] {
    return this.#all;
  }

  /** All comments without their quotes: the plugin has the lines. @param hunks where its texts differ */
  shownAmong(hunks: readonly HunkPlace[]) {
    const back = placesBack(hunks);
    return this.#all.map(({ quote: _, ...comment }) => ({
      ...comment,
      across: move(comment.endLine, comment.side === "original" ? hunks : back, "last"),
    }));
  }

  /** The user has written a comment, or deleted it. @param text of the side that it is on */
  write({ comment: id = randomUUID(), side, startLine, endLine, text: words }: WrittenComment, text: string) {
    const written = quoted({ id, side, startLine, endLine, quote: "", text: words }, text);
    const others = this.#all.filter((one) => one.id !== id);
    this.#all = words === "" ? others : [...others, written];
  }

  /** Another view has them so. A comment that is here keeps its lines. */
  merge({ changed, deleted }: CommentChanges): void {
    const kept = this.#all.filter(({ id }) => !deleted.includes(id));
    const texts = new Map(changed.map(({ id, text }) => [id, text]));
    const here = new Set(kept.map(({ id }) => id));
    this.#all = [
      ...kept.map((one) => ({ ...one, text: texts.get(one.id) ?? one.text })),
      ...changed.filter(({ id }) => !here.has(id)),
    ];
  }

  /** The text of a side has become another one. @returns whether a comment has moved, or quotes other lines */
  follow(side: Comment["side"], before: string, after: string): boolean {
    if (before === after || this.#all.length === 0) return false;
    const [hunks, former] = [placeHunks(before, after), this.#all];
    this.#all = former.map((one) => {
      if (one.side !== side || one.startLine === 0) return one;
      const startLine = Math.max(1, move(one.startLine, hunks, "first"));
      const endLine = Math.max(startLine, move(one.endLine, hunks, "last"));
      return quoted({ ...one, startLine, endLine }, after);
    });
    return former.some(({ startLine, endLine, quote }, index) => {
      const now = this.#all[index];
      return now?.startLine !== startLine || now.endLine !== endLine || now.quote !== quote;
    });
  }
}

/** @returns where a line is now. Of lines that went the first of a comment becomes the next one, the last the one before. */
function move(line: number, hunks: readonly HunkPlace[], which: "first" | "last"): number {
  let by = 0;
  for (const { line: to, added, from, removed } of hunks) {
    if (line < from) break;
    if (line < from + removed)
      return added === 0 ? to - (which === "last" ? 1 : 0) : to + Math.min(line - from, added - 1);
    by = to + added - from - removed;
  }
  return line + by;
}

/** A comment with the lines of a text, which may have fewer. */
function quoted(comment: Comment, text: string): Comment {
  const lines = linesAsShown(text);
  const startLine = Math.min(comment.startLine, lines.length);
  const endLine = Math.min(comment.endLine, lines.length);
  if (startLine === 0) return comment; // also where the comment is on all of the change
  const quote = lines
    .slice(startLine - 1, endLine)
    .join("")
    .replace(/\n$/, "");
  return { ...comment, startLine, endLine, quote };
}
