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

test("a client has not taken an outcome until it has left, and for ten seconds more, which writing the file takes", () => {
  const { outbox, letter, pass } = flushed();
  letter.state = "held";
  pass(60);
  expect([outbox.hasTaken("/a"), outbox.hasTaken("/b")]).toEqual(["no", "perhaps"]);
  Object.assign(letter, { state: "flushed", flushedAt: performance.now() });
  pass(9);
  expect(outbox.hasTaken("/a")).toBe("no");
  pass(1);
  expect(outbox.hasTaken("/a")).toBe("perhaps");
});

test("a client whose stream closed too soon after an outcome had left has not taken it, however late it is asked", () => {
  const { outbox, stream, pass } = flushed();
  pass(9);
  outbox.takeBack(stream);
  pass(3600);
  expect(outbox.hasTaken("/a")).toBe("no");
});

test("a client whose stream closed long after an outcome had left has perhaps taken it", () => {
  const { outbox, stream, pass } = flushed();
  pass(10);
  outbox.takeBack(stream);
  expect(outbox.hasTaken("/a")).toBe("perhaps");
});

test("a client that resumes and says that it has received an outcome has perhaps acted on it", () => {
  const { outbox, letter, stream } = flushed();
  outbox.takeBack(stream);
  outbox.resume(letter.id - 1);
  expect(outbox.hasTaken("/a")).toBe("no");
  outbox.resume(letter.id);
  expect(outbox.hasTaken("/a")).toBe("perhaps");
});
