import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import type { Outcome, ReviewOwner } from "../core/changes/review.ts";
import { Reviews, type ReviewsOptions } from "../core/changes/reviews.ts";
import { openCommentsFolder } from "../core/comments/comment.ts";
import { CommentsStore } from "../core/comments/comments-store.ts";
import { CommentsDelivery } from "../core/comments/delivery.ts";
import { EditsStore } from "../core/edits/edits-store.ts";
import { openEditsFolder } from "../core/edits/recovered-edits.ts";
import type { CompanionEvent } from "../core/events.ts";
import { MemoryEditor } from "./memory-editor.ts";

/** Comments that reach every prompt. */
export function createDelivery() {
  const store = new CommentsStore({ folder: openCommentsFolder(join(privateFolder(), "comments")) });
  return new CommentsDelivery({ store, prompt: async () => true, onEvent: () => {} });
}

/** Reviews in an editor of the test, with all that they report. They end with the test. */
export function createBook(write: ReviewsOptions["writeFile"] = async () => {}, agentAccept = () => true) {
  const editor = new MemoryEditor();
  const events: CompanionEvent[] = [];
  const onEvent = (event: CompanionEvent) => void events.push(event);
  const edits = new EditsStore({
    folder: openEditsFolder(join(privateFolder(), "edits")),
    onWarning: (message) => onEvent({ kind: "warning", message }),
  });
  const book = new Reviews({
    editor,
    edits,
    delivery: createDelivery(),
    onEvent,
    roots: () => ["/"],
    agentAccept,
    writeFile: write,
  });
  onTestFinished(() => book.end());
  const settlements = () =>
    events.flatMap((event) => (event.kind === "diff-settled" ? [event.settlement] : []));
  const results = () => events.flatMap((event) => (event.kind === "file-checked" ? [event.result] : []));
  /** What the user is offered: events and the list must agree. */
  const recovered = () => {
    const sent = events.flatMap((event) => (event.kind === "edits-recovered" ? [event.edits] : []));
    for (const each of sent) expect(edits.read(each.id)).toEqual(each);
    return sent.map(({ filePath, text }) => [filePath, text]);
  };
  return { editor, events, edits, book, settlements, results, recovered };
}

/** A session that has reviews, and the outcomes that it hears of. */
export function createOwner(id: string, objectionTo?: ReviewOwner["objectionTo"]) {
  const outcomes: (Outcome & { filePath: string })[] = [];
  const owner: ReviewOwner & { isOver: boolean } = {
    id,
    isOver: false,
    agent: `Agent ${id}`,
    deliver: (outcome, { filePath }) => void outcomes.push({ ...outcome, filePath }),
    ...(objectionTo && { objectionTo }),
  };
  return { owner, outcomes };
}

/** As agents propose that know a diff by its path. */
export const toProposal = (filePath: string, newContent: string) => ({ key: filePath, filePath, newContent });
