import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { privateFolder } from "../../../../testkit/src/private-folder.ts";
import { MemoryEditor } from "../../testing/memory-editor.ts";
import { createDelivery } from "../../testing/reviews.ts";
import { EditsStore } from "../edits/edits-store.ts";
import { openEditsFolder } from "../edits/recovered-edits.ts";
import type { CompanionEvent } from "../events.ts";
import type { Outcome } from "./review.ts";
import { Reviews } from "./reviews.ts";

const readOnlyReason = { code: "takes-no-edits", values: ["Toy"] } as const;

/** A proposal of an agent that cannot take edits, for a file that is there. */
async function proposeOne() {
  const editor = new MemoryEditor();
  const events: CompanionEvent[] = [];
  const edits = new EditsStore({
    folder: openEditsFolder(join(privateFolder(), "edits")),
    onWarning: (message) => events.push({ kind: "warning", message }),
  });
  const onEvent = (event: CompanionEvent) => void events.push(event);
  const reviews = new Reviews({ delivery: createDelivery(), editor, edits, onEvent, roots: () => ["/"] });
  onTestFinished(() => reviews.end());
  const outcomes: Outcome[] = [];
  const deliver = (outcome: Outcome) => void outcomes.push(outcome);
  const path = join(privateFolder(), "a.ts");
  writeFileSync(path, "before");
  const owner = { id: "1", agent: "Toy", isOver: false, deliver };
  const change = { key: "tab", filePath: path, newContent: "proposed", readOnlyReason } as const;
  await reviews.propose(owner, change);
  const results = () => events.flatMap((event) => (event.kind === "file-checked" ? [event.result] : []));
  const recovered = () =>
    events.flatMap((event) =>
      event.kind === "edits-recovered" ? [[event.edits.text, event.edits.reason]] : [],
    );
  const acceptOwn = (content: string) => {
    editor.edit(path, content);
    return editor.find(path).decide({ kind: "accepted", ownVersion: true });
  };
  return { editor, edits, reviews, outcomes, path, owner, change, results, recovered, acceptOwn };
}

const soon = { timeout: 5000, interval: 20 };
const wroteItsOwn = "own-version";

test("an editor hears why the edits in a proposal cannot reach its agent", async () => {
  const { editor, path } = await proposeOne();
  expect(editor.find(path).proposal).toMatchObject({ readOnlyReason });
  expect(editor.accept(path)).toEqual({ taken: true });
});

test("edits in a proposal whose agent cannot take them are refused with a reason, and nothing is decided", async () => {
  const { editor, edits, outcomes, path, reviews } = await proposeOne();
  editor.edit(path, "mine");
  const reason = { code: "edits-not-taken", values: ["Toy"] };
  expect(editor.accept(path)).toEqual({ taken: false, reason });
  expect([outcomes, reviews.open.length]).toEqual([[], 1]);
  expect(editor.reject(path)).toEqual({ taken: true });
  expect(outcomes).toEqual([{ kind: "rejected" }]);
  expect(edits.list()).toMatchObject([{ filePath: path, reason: "rejected-read-only" }]);
});

test("the user's own version is offered once the agent has written its own text, and not before", async () => {
  const { edits, outcomes, path, results, recovered, acceptOwn } = await proposeOne();
  expect(acceptOwn("mine")).toEqual({ taken: true });
  expect(outcomes).toEqual([{ kind: "accepted", content: "proposed" }]);
  expect(recovered()).toEqual([]);
  writeFileSync(path, "proposed");
  await vi.waitFor(() => expect(results()).toEqual(["written"]), soon);
  expect(recovered()).toEqual([["mine", wroteItsOwn]]);
  const [offered] = edits.list();
  expect(edits.read(offered?.id ?? "")).toMatchObject({ proposed: "proposed", text: "mine" });
  expect(readFileSync(path, "utf8")).toBe("proposed");
});

test("the user's own version is offered once when its agent writes late, and does not come back", async () => {
  const { edits, path, results, recovered, acceptOwn } = await proposeOne();
  acceptOwn("mine");
  await vi.waitFor(() => expect(results()).toEqual(["not-written"]), soon);
  const why = "not-written";
  expect(recovered()).toEqual([["mine", why]]);
  for (const { id } of edits.list()) edits.discard(id);
  writeFileSync(path, "proposed");
  await vi.waitFor(() => expect(results()).toEqual(["not-written", "written"]), soon);
  expect([recovered().length, edits.list()]).toEqual([1, []]);
});

test("an agent that proposes the next text at once does not hide the user's own version of the last", async () => {
  const { path, owner, change, reviews, recovered, acceptOwn } = await proposeOne();
  acceptOwn("mine");
  writeFileSync(path, "proposed");
  await reviews.propose(owner, { ...change, newContent: "next" });
  expect(recovered()).toEqual([["mine", wroteItsOwn]]);
});

test("an own version that equals the proposal is a plain acceptance", async () => {
  const { path, results, recovered, edits, acceptOwn } = await proposeOne();
  acceptOwn("proposed");
  writeFileSync(path, "proposed");
  await vi.waitFor(() => expect(results()).toEqual(["written"]), soon);
  expect([recovered(), edits.list()]).toEqual([[], []]);
});
