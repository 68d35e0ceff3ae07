import { expect, test } from "vitest";
import { createPathLabels } from "../../files/workspace-path.ts";
import { createTestChange } from "../../testing/test-change.ts";
import { ProposalStore } from "./proposal-store.ts";
import { proposalOf } from "./testing/visitor.ts";

function openStore() {
  const labels = createPathLabels(() => ["/project"]);
  const store = new ProposalStore(labels);
  const open = (newContent: string) => {
    const change = createTestChange(proposalOf("/project/a.ts", newContent));
    store.open(change);
    return change;
  };
  return { store, open };
}

test("of what has ended the store holds the last proposals, as far as their texts fit into memory", () => {
  const { store, open } = openStore();
  const ends = (text: string) => {
    const change = open(text);
    change.end();
    return change.id;
  };
  const isKnown = (...ids: readonly string[]) => ids.map((id) => store.findAny(id) !== undefined);
  const first = ends("small");
  const large = ends("x".repeat(8 * 1024 * 1024));
  open("waits");
  expect(isKnown(first, large)).toEqual([true, true]);
  const larger = ends("x".repeat(12 * 1024 * 1024));
  open("waits");
  expect(isKnown(first, large, larger)).toEqual([false, false, true]);
  const many = Array.from({ length: 201 }, () => ends("small"));
  open("waits");
  expect(isKnown(larger, ...many.slice(0, 2))).toEqual([false, false, true]);
});
