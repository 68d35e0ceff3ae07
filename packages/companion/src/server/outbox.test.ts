import { expect, onTestFinished, test, vi } from "vitest";
import { Outbox } from "./outbox.ts";

const proposal = {
  id: "1",
  sessionId: "s",
  agent: "Gemini CLI",
  filePath: "/a",
  newContent: "",
  openedAt: 0,
};

/** An outbox with one acceptance that has left this process, and a clock. */
function flushed() {
  let now = 1_000_000;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const outbox = new Outbox();
  const stream = {};
  const letter = outbox.add({ kind: "accepted", filePath: "/a", content: "mine" }, proposal);
  Object.assign(letter, { state: "flushed", stream, flushedAt: now });
  const pass = (seconds: number) => {
    now += seconds * 1000;
  };
  return { outbox, letter, stream, pass };
}

test("a client may lack an outcome until it has left, and for ten seconds more, which writing the file takes", () => {
  const { outbox, letter, pass } = flushed();
  letter.state = "held";
  pass(60);
  expect([outbox.mayLack("/a"), outbox.mayLack("/b")]).toEqual([true, false]);
  Object.assign(letter, { state: "flushed", flushedAt: performance.now() });
  pass(9);
  expect(outbox.mayLack("/a")).toBe(true);
  pass(1);
  expect(outbox.mayLack("/a")).toBe(false);
});

test("a client whose stream closed with an outcome perhaps unread may lack it from then on, however late it is asked", () => {
  const { outbox, stream, pass } = flushed();
  pass(9);
  outbox.takeBack(stream);
  pass(3600);
  expect(outbox.mayLack("/a")).toBe(true);
});

test("a client whose stream closed long after an outcome had left has taken it", () => {
  const { outbox, stream, pass } = flushed();
  pass(10);
  outbox.takeBack(stream);
  expect(outbox.mayLack("/a")).toBe(false);
});

test("a client that resumes and says that it has received an outcome has it", () => {
  const { outbox, letter, stream } = flushed();
  outbox.takeBack(stream);
  outbox.resume(letter.id - 1);
  expect(outbox.mayLack("/a")).toBe(true);
  outbox.resume(letter.id);
  expect(outbox.mayLack("/a")).toBe(false);
});
