import { expect, onTestFinished, test, vi } from "vitest";
import { Lists } from "./review.ts";

test("of a burst of changes pages are sent the last list, soon after", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const sent: string[] = [];
  let made = 0;
  const lists = new Lists(
    async (type) => {
      made += 1;
      return { type: "proposals", proposals: [], of: type };
    },
    (message) => sent.push(message.type),
  );
  for (let change = 0; change < 100; change += 1) lists.announce("proposals");
  await vi.advanceTimersByTimeAsync(100);
  expect([made, sent]).toEqual([1, ["proposals"]]);
  lists.announce("proposals");
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toHaveLength(2);
});

test("a list that takes longer to make does not overtake a newer one", async () => {
  const sent: number[] = [];
  let made = 0;
  const lists = new Lists(
    async (type) => {
      made += 1;
      const number = made;
      if (number === 1) await new Promise((resolve) => setTimeout(resolve, 20));
      return { type: "list", list: type as "edits", records: [], number };
    },
    (message) => sent.push(Object(message).number),
  );
  lists.announce("edits");
  await vi.waitFor(() => expect(made).toBe(1));
  lists.announce("edits");
  await vi.waitFor(() => expect(sent).toEqual([1, 2]));
});
