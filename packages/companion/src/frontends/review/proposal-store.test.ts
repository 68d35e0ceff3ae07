import { expect, test } from "vitest";
import type { FileText } from "../../files/file-text.ts";
import { ProposalStore } from "./proposal-store.ts";
import { proposalOf } from "./testing/visitor.ts";

const textOf = (text: string): FileText => ({
  kind: "text",
  text,
  exact: true,
  size: text.length,
  stamp: "1",
});

test("a proposal of which the lines take long to count is shown before, and its figures when they are known", async () => {
  const large = Array.from({ length: 200_000 }, (_, index) => `line ${index}\n`);
  const proposed = large.toReversed().join("");
  const summaries: (readonly (number | undefined)[])[] = [];
  const store: ProposalStore = new ProposalStore({
    instance: "run",
    roots: () => ["/project"],
    onChange: () => summaries.push(store.summaries.map(({ added }) => added)),
  });
  const held = store.open(
    { ...proposalOf("/project/large", proposed), base: textOf(large.join("")) },
    () => ({ taken: true }),
    () => {},
    () => {},
  );
  await held.counted();
  expect(summaries[0]).toEqual([undefined]);
  expect(summaries.at(-1)).toEqual([expect.any(Number)]);
});
