import { expect, test } from "vitest";
import { putInOrder } from "./documents.ts";

const uri = "file:///a.txt";

/** Tells in some order what an editor has done; returns what is reported, in which order. */
function tell(messages: readonly string[], { every = 0 } = {}): string[] {
  const sent: string[] = [];
  let now = 0;
  const order = putInOrder(
    {
      opened: ({ text }) => sent.push(`opened ${text}`),
      changed: ({ textDocument: { version } }) => sent.push(`changed ${version}`),
      closed: () => sent.push("closed"),
    },
    () => now,
  );
  for (const message of messages) {
    const [what, given = ""] = message.split(" ");
    const version = Number(given);
    if (what === "open") order.opened({ uri, languageId: "x", version: 0, text: given });
    if (what === "change") order.changed({ textDocument: { uri, version }, contentChanges: [] });
    if (what === "close") order.closed(uri);
    now += every;
  }
  return sent;
}

test("what comes in order is reported as it comes", () => {
  const messages = ["open a", "change 1", "close", "open b", "change 1", "change 2", "close"];
  const sent = ["opened a", "changed 1", "closed", "opened b", "changed 1", "changed 2", "closed"];
  expect(tell(messages)).toEqual(sent);
  expect(tell(messages, { every: 5000 })).toEqual(sent);
});

test.each(permutations(["open a", "change 1", "change 2"]))(
  "opened and edited: %s, %s, %s",
  (...messages) => {
    const [first, ...others] = tell(messages);
    expect(first).toBe("opened a");
    expect(others.sort()).toEqual(["changed 1", "changed 2"]);
  },
);

test.each(permutations(["open a", "change 1", "close"]))(
  "opened, edited and closed: %s, %s, %s",
  (...messages) => {
    const sent = tell(messages);
    expect(sent[0]).toBe("opened a");
    expect(sent.at(-1)).toBe("closed");
    expect(sent.filter((what) => what === "closed")).toHaveLength(1);
  },
);

test("what was closed and is opened again later is open", () => {
  expect(tell(["close", "open a"], { every: 1000 })).toEqual(["opened a"]);
});

test("what was changed before the text that was sent is in it", () => {
  expect(tell(["change 0", "open a"])).toEqual(["opened a"]);
});

/** Every order of some messages, each once. */
function permutations(messages: readonly string[]): string[][] {
  if (messages.length === 0) return [[]];
  const orders = messages.flatMap((first, index) =>
    permutations(messages.filter((_, other) => other !== index)).map((rest) => [first, ...rest]),
  );
  return [...new Map(orders.map((order) => [order.join(), order])).values()];
}
