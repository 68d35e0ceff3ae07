import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { MemoryEditor } from "../../testing/memory-editor.ts";
import { createOwner, toProposal } from "../../testing/reviews.ts";
import { openCommentsFolder } from "../comments/comment.ts";
import { CommentsStore } from "../comments/comments-store.ts";
import { CommentsDelivery } from "../comments/delivery.ts";
import type { CommentsToSend } from "../comments/message.ts";
import type { Comment, Proposal } from "../editor.ts";
import { EditsStore } from "../edits/edits-store.ts";
import { openEditsFolder } from "../edits/recovered-edits.ts";
import type { CompanionEvent } from "../events.ts";
import { Reviews } from "./reviews.ts";

const why: Comment = {
  id: "1",
  side: "proposed",
  startLine: 1,
  endLine: 1,
  quote: "new",
  text: "Why?",
};

/** One proposal on which the user has written a comment. */
async function commentOn(prompt: (message: CommentsToSend) => Promise<boolean> = async () => true) {
  const state = privateFolder();
  const editor = new MemoryEditor();
  const events: CompanionEvent[] = [];
  const onEvent = (event: CompanionEvent) => {
    events.push(event);
    delivery.take(event);
  };
  const comments = new CommentsStore({ folder: openCommentsFolder(join(state, "comments")) });
  const edits = new EditsStore({ folder: openEditsFolder(join(state, "edits")) });
  const delivery = new CommentsDelivery({
    store: comments,
    prompt: (_, message) => prompt(message),
    onEvent,
  });
  const book = new Reviews({
    editor,
    edits,
    delivery,
    onEvent,
    roots: () => ["/"],
  });
  onTestFinished(() => book.end());
  const { owner, outcomes } = createOwner("1");
  await book.propose(owner, toProposal("/a", "new"));
  const { change, proposal } = editor.find("/a");
  const saveComments = change.saveComments.bind(change);
  saveComments([why]);
  comments.flush();
  /** As a companion would find them that starts now, after this one has crashed. */
  const onDisk = () => {
    const folder = join(state, "comments");
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")).comments[0].text);
  };
  const kinds = () => events.map(({ kind }) => kind).filter((kind) => kind.startsWith("comments-"));
  return { book, editor, events, onEvent, comments, owner, outcomes, proposal, onDisk, kinds };
}

const deliveredEvent = (proposal: Proposal): CompanionEvent => ({ kind: "outcome-delivered", proposal });

test("a crash between any two steps from the first letter to the prompt loses no comment", async () => {
  const steps: [string, unknown][] = [];
  let typed = (_: boolean) => {};
  const fixture = await commentOn(() => new Promise((resolve) => (typed = resolve)));
  const { editor, owner, onDisk, kinds } = fixture;
  const note = (step: string) => void steps.push([step, onDisk()]);
  note("written");
  owner.deliver = () => note("the agent hears");
  editor.reject("/a", [why]);
  note("decided");
  typed(true);
  await vi.waitFor(() => expect(kinds()).toEqual(["comments-delivered"]));
  note("in the prompt");
  expect(steps).toEqual([
    ["written", ["Why?"]],
    ["the agent hears", ["Why?"]],
    ["decided", ["Why?"]],
    ["in the prompt", []],
  ]);
});

test("comments go with a rejection and with an acceptance, into the prompt and into the record of the decision", async () => {
  const messages: CommentsToSend[] = [];
  for (const decide of ["accept", "reject"] as const) {
    const { editor, events, outcomes } = await commentOn(async (message) => messages.push(message) > 0);
    editor[decide]("/a", [why]);
    expect(outcomes).toMatchObject([{ comments: [why] }]);
    expect(events.find(({ kind }) => kind === "diff-settled")).toMatchObject({
      settlement: { by: "user", comments: [why] },
    });
  }
  expect(messages).toEqual([
    { filePath: "/a", outcome: "accepted", comments: [why] },
    { filePath: "/a", outcome: "rejected", comments: [why] },
  ]);
});

test("comments whose prompt cannot be reached wait for their user", async () => {
  for (const prompt of [async () => false, () => Promise.reject(new Error("no terminal"))]) {
    const { editor, events, comments, kinds } = await commentOn(prompt);
    editor.reject("/a", [why]);
    await vi.waitFor(() => expect(kinds()).toEqual(["comments-recovered"]));
    expect(events.at(-1)).toMatchObject({ wasSent: true });
    expect(comments.list()).toMatchObject([{ outcome: "rejected", reason: "unreached", comments: [why] }]);
  }
});

test("an agent whose outcomes carry comments has them once it has the outcome", async () => {
  const prompt = vi.fn(async () => true);
  const { editor, owner, proposal, outcomes, onDisk, onEvent, kinds } = await commentOn(prompt);
  Object.assign(owner, { takesComments: true });
  editor.reject("/a", [why]);
  expect(outcomes).toMatchObject([{ kind: "rejected", comments: [why] }]);
  expect(onDisk()).toEqual(["Why?"]);
  onEvent(deliveredEvent(proposal));
  expect([onDisk(), kinds()]).toEqual([[], ["comments-delivered"]]);
  expect(prompt).not.toHaveBeenCalled();
});

test("comments in an outcome whose session ends before it has it wait for their user", async () => {
  const { editor, owner, proposal, comments, onEvent, kinds } = await commentOn();
  Object.assign(owner, { takesComments: true });
  editor.accept("/a", [why]);
  const session = { id: "1", agent: "Agent 1", client: { name: "x", version: "1" }, connectedAt: 0 };
  onEvent({ kind: "session-closed", session, reason: "it went away" });
  onEvent(deliveredEvent(proposal));
  expect(kinds()).toEqual(["comments-recovered"]);
  expect(comments.list()).toMatchObject([{ outcome: "accepted", comments: [why] }]);
});

test("comments that come with no decision wait for their user, however the proposal ends", async () => {
  const ends: Readonly<Record<string, (fixture: Awaited<ReturnType<typeof commentOn>>) => unknown>> = {
    "not-sent": ({ editor }) => editor.reject("/a"),
    agent: ({ book }) => book.close("1", "/a"),
    replaced: ({ book, owner }) => book.propose(owner, toProposal("/a", "newer")),
    "session-ended": ({ book }) => book.endSession("1"),
    shutdown: ({ book }) => book.shutDown(),
    "The companion stopped before the agent had your comments.": ({ comments }) => comments.close(),
  };
  for (const [reason, end] of Object.entries(ends)) {
    const fixture = await commentOn();
    await end(fixture);
    expect(fixture.comments.list()).toMatchObject([{ reason, comments: [why] }]);
  }
});

test("a refused acceptance sends no comment", async () => {
  const { editor, owner, comments, onDisk, kinds } = await commentOn();
  owner.objectionTo = () => ({ code: "empty-text" });
  expect(editor.accept("/a", [why])).toMatchObject({ taken: false });
  expect([comments.list(), onDisk(), kinds()]).toEqual([[], ["Why?"], []]);
});
