import { expect, test, vi } from "vitest";
import { typeInPrompt } from "./prompt.ts";

/** A terminal whose program takes so many pastes to show one. */
function createTerminal({ losing = 0, isListening = true, typed = "" } = {}) {
  const pastes: string[] = [];
  let text = typed;
  const terminal = {
    screen: async () => text,
    isListening: async () => isListening,
    paste: async (pasted: string) => {
      pastes.push(pasted);
      if (pastes.length > losing) text = pasted;
    },
  };
  return { terminal, pastes };
}

const isEmpty = (screen: string) => screen === "";

test("a text is typed once, and once more where the program has lost it while it drew its prompt", async () => {
  const sure = createTerminal();
  expect(await typeInPrompt(sure.terminal, "Why?", isEmpty, 8000)).toBe(true);
  expect(sure.pastes).toEqual(["Why?"]);
  const losing = createTerminal({ losing: 1 });
  expect(await typeInPrompt(losing.terminal, "Why?", isEmpty, 8000)).toBe(true);
  expect(losing.pastes).toEqual(["Why?", "Why?"]);
});

test("nothing is typed where the user has typed, or where a shell would take it for a command", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  for (const one of [createTerminal({ typed: "mine" }), createTerminal({ isListening: false })]) {
    const typing = typeInPrompt(one.terminal, "Why?", isEmpty, 8000);
    vi.advanceTimersByTime(10_000);
    expect(await typing).toBe(false);
    expect(one.pastes).toEqual([]);
  }
  vi.useRealTimers();
});
