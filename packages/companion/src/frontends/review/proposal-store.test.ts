import { beforeEach, expect, test, vi } from "vitest";
import { poll } from "../../../../testkit/src/waiting.ts";
import type { FileText } from "../../files/file-text.ts";
import { createProposalStore, type ProposalStore } from "./proposal-store.ts";
import { proposalOf } from "./testing/visitor.ts";

/** What the disk answers, and when: a path that is not here is read at once. */
const disk = new Map<string, Promise<FileText>>();

vi.mock("../../files/file-text.ts", async (original) => ({
  ...(await original<typeof import("../../files/file-text.ts")>()),
  readFileText: async (path: string) => (await disk.get(path)) ?? textOf(""),
}));

const textOf = (text: string): FileText => ({
  kind: "text",
  text,
  exact: true,
  size: text.length,
  stamp: "1",
});

let store: ProposalStore;
/** The lists of waiting paths that the pages were sent, oldest first. */
let sent: (readonly string[])[];

beforeEach(() => {
  disk.clear();
  sent = [];
  store = createProposalStore({
    instance: "run",
    roots: () => ["/project"],
    onChange: () => sent.push(store.summaries.map(({ filePath }) => filePath)),
    onRead: () => {},
  });
});

/** Proposes a change of a file that is there. */
function open(path: string, text = "new\n") {
  const proposal = { ...proposalOf(path, text), fileKind: "file" } as const;
  return store.open(
    proposal,
    () => ({ taken: true }),
    () => {},
    () => {},
  );
}

const sentOf = (paths: readonly string[]) =>
  poll(`list of ${paths.join(" and ")}`, () => String(sent.at(-1)) === String(paths) || undefined);

test("the oldest proposal is shown first, also when the file of a newer one is read before", async () => {
  let answer: (text: FileText) => void = () => {};
  disk.set("/project/old", new Promise((resolve) => (answer = resolve)));
  open("/project/old");
  const newer = open("/project/new");
  await poll("reading of the newer one", () => newer.isReady || undefined);
  expect(sent).toEqual([]);
  answer(textOf("old\n"));
  await sentOf(["/project/old", "/project/new"]);
  expect(sent[0]?.[0]).toBe("/project/old");
});

test("a file that cannot be read keeps back newer proposals for a second at most", async () => {
  disk.set("/project/hangs", new Promise(() => {}));
  open("/project/hangs");
  open("/project/new");
  await sentOf(["/project/new"]);
});

test("newer proposals are shown as soon as the one they wait for is closed", async () => {
  disk.set("/project/hangs", new Promise(() => {}));
  const held = open("/project/hangs");
  const newer = open("/project/new");
  await poll("reading of the newer one", () => newer.isReady || undefined);
  store.remove(held);
  expect(sent.at(-1)).toEqual(["/project/new"]);
});

test("a proposal of which the lines take long to count is shown before, and its figures when they are known", async () => {
  const large = Array.from({ length: 200_000 }, (_, index) => `line ${index}\n`);
  disk.set("/project/large", Promise.resolve(textOf(large.join(""))));
  const proposed = large.toReversed().join("");
  const summaries: (readonly (number | undefined)[])[] = [];
  store = createProposalStore({
    instance: "run",
    roots: () => ["/project"],
    onChange: () => summaries.push(store.summaries.map(({ added }) => added)),
    onRead: () => {},
  });
  const held = open("/project/large", proposed);
  await held.counted();
  expect(summaries[0]).toEqual([undefined]);
  expect(summaries.at(-1)).toEqual([expect.any(Number)]);
});
