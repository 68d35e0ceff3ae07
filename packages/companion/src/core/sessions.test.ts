import { expect, test, vi } from "vitest";
import { type PromptResult, type PromptText, Sessions } from "./sessions.ts";

const client = { name: "test", version: "1" };

function createSessions() {
  return new Sessions({ reviews: { endSession: async () => {} }, onEvent: () => {} });
}

test("a mention reaches one agent: the one that was used last, of those that can take it", async () => {
  const sessions = createSessions();
  const taken = { first: vi.fn(), second: vi.fn() };
  expect(await sessions.send({ mentions: [{ path: "/a" }] })).toBeUndefined();
  const first = sessions.open("Agent", client, { mention: taken.first });
  sessions.open("Agent", client, { mention: taken.second });
  sessions.open("Other", client);
  const mention = { path: "/a", lines: { first: 1, last: 1 } };
  expect(await sessions.send({ mentions: [mention] })).toEqual({ agent: "Agent 2" });
  expect(taken.second).toHaveBeenCalledExactlyOnceWith(mention);
  first.markUsed();
  expect(await sessions.send({ mentions: [mention] })).toEqual({ agent: "Agent" });
  expect(taken.first).toHaveBeenCalledTimes(1);
  await first.end("it went away");
  first.markUsed();
  expect(await sessions.send({ mentions: [mention] })).toEqual({ agent: "Agent 2" });
});

test("a message reaches the agent that was used last: references as such, words by its prompt", async () => {
  const sessions = createSessions();
  const mention = vi.fn();
  const prompt = vi.fn(async (_text: PromptText, _patience: number): Promise<PromptResult> => "typed");
  const typed = (folder?: string) => prompt.mock.lastCall?.[0](folder);
  const mentions = [{ path: "/a" }, { path: "/b" }];
  expect(await sessions.send({ mentions })).toBeUndefined();
  const session = sessions.open("Typed", client, { prompt });
  sessions.open("Referring", client, { mention });
  expect(await sessions.send({ mentions })).toEqual({ agent: "Referring" });
  expect(mention.mock.calls).toEqual([[{ path: "/a" }], [{ path: "/b" }]]);
  expect(await sessions.send({ mentions, text: "why?" })).toEqual({ agent: "Typed" });
  expect(typed()).toBe("why?\n@/a @/b ");
  session.markUsed();
  expect(await sessions.send({ mentions })).toEqual({ agent: "Typed" });
  expect(typed()).toBe("@/a @/b ");
  expect(typed("/")).toBe("@a @b ");
  expect(await sessions.send({ mentions }, false)).toEqual({ agent: "Referring" });
  expect(await sessions.send({ text: "why?" }, false)).toBeUndefined();
  prompt.mockResolvedValue("unreached");
  expect(await sessions.send({ mentions })).toEqual({ agent: "Referring" });
  expect(await sessions.send({ text: "why?" })).toBeUndefined();
  prompt.mockResolvedValue("busy");
  expect(await sessions.send({ text: "why?" })).toEqual({ busy: "Typed" });
  prompt.mockClear();
  expect(await sessions.send({ mentions: [{ path: "/a\x03" }] })).toEqual({ agent: "Referring" });
  expect(prompt).not.toHaveBeenCalled();
});

test("a message waits for all prompts together no longer than its user does", async () => {
  const sessions = createSessions();
  const patiences: number[] = [];
  for (const name of ["One", "Two", "Three"]) {
    sessions.open(name, client, {
      prompt: async (_, patience) => {
        patiences.push(patience);
        vi.advanceTimersByTime(patience);
        return "unreached";
      },
    });
  }
  vi.useFakeTimers();
  try {
    expect(await sessions.send({ text: "why?" })).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
  expect(patiences).toEqual([2000, 0, 0]);
});

test("a name of any length, or of several lines, is one short line for everybody", () => {
  const sessions = createSessions();
  const name = `Long\n\x1b[31m${"x".repeat(1_000_000)}`;
  const { agent, client: own } = sessions.open(name, { name, version: name }).info;
  for (const shown of [agent, own.name, own.version]) expect(shown).toMatch(/^Long \[31mx{70}$/);
  expect(sessions.open(name, client).info.agent).toBe(`${agent} 2`);
});
