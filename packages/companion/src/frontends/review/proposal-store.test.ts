import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { createPathLabels } from "../../files/workspace-path.ts";
import { ProposalStore } from "./proposal-store.ts";
import { proposalOf } from "./testing/visitor.ts";

function openStore() {
  const store = new ProposalStore({
    instance: "run",
    labels: createPathLabels(() => ["/project"]),
    onChange: () => {},
  });
  const saved: string[] = [];
  const open = (newContent: string) => {
    const proposal = proposalOf("/project/a.ts", newContent);
    store.open(
      proposal,
      () => ({ taken: true }),
      (text) => saved.push(text),
      (comments) => saved.push(...comments.map(({ text }) => text)),
    );
    const held = store.get(proposal.id);
    if (!held) throw new Error("the store holds no proposal");
    return { proposal, held, wireId: held.wireId };
  };
  return { store, saved, open };
}

test("a text that comes after the end is kept, unless it is what was proposed or stood there", () => {
  const { store, saved, open } = openStore();
  const { held, wireId } = open("proposed");
  held.write("theirs", { id: randomUUID(), key: undefined }, 0);
  store.remove(held);
  const late = store.findEnded(wireId);
  const kept = ["proposed", "theirs", "mine \uD800"].map((text) => late?.keepLate(text));
  expect(kept).toEqual([false, false, true]);
  expect(saved).toEqual(["theirs", "mine \uD800"]);
});

test("of what has ended the store holds the last proposals, as far as their texts fit into memory", () => {
  const { store, open } = openStore();
  const ends = (text: string) => {
    const { held, wireId } = open(text);
    store.remove(held);
    return wireId;
  };
  const first = ends("small");
  expect(store.findEnded(first)).toBeDefined();
  const large = ends("x".repeat(16 * 1024 * 1024));
  expect([first, large].map((id) => store.findEnded(id) !== undefined)).toEqual([false, true]);
  const many = Array.from({ length: 201 }, () => ends("small"));
  expect([many[0], many[1]].map((id) => store.findEnded(id ?? "") !== undefined)).toEqual([false, true]);
});

test("a proposal that nobody knows differs from a proposal that has ended", () => {
  const { store, open } = openStore();
  expect([store.isOwn(open("proposed").wireId), store.isOwn("earlier.1")]).toEqual([true, false]);
});
