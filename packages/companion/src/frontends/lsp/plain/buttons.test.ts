import { expect, test } from "vitest";
import type { z } from "zod";
import type { Ask } from "../notifier.ts";
import { Buttons } from "./buttons.ts";

/** An editor that answers each message so, after a while. */
function buttons(answer: () => unknown, after: number) {
  let time = 0;
  const asked: object[] = [];
  const ask: Ask = async <Answer>(message: { answer: z.ZodType<Answer> }, params: object) => {
    asked.push(params);
    time += after;
    return message.answer.parse(answer());
  };
  return { asked, buttons: new Buttons({ client: { offersChoices: true }, ask, now: () => time }) };
}

const { signal } = new AbortController();
const refuse = () => {
  throw new Error("unknown method");
};

test("the title of the chosen button is sent", async () => {
  const { asked, buttons: offered } = buttons(() => ({ title: "Yes", and: "more" }), 5);
  expect(await offered.offer("Really?", ["Yes", "No"], signal)).toBe("Yes");
  expect(asked).toEqual([{ type: 3, message: "Really?", actions: [{ title: "Yes" }, { title: "No" }] }]);
});

test("who puts the message away has chosen nothing, and is asked again the next time", async () => {
  const { buttons: offered } = buttons(() => null, 2000);
  expect(await offered.offer("Really?", ["Yes"], signal)).toBeUndefined();
  expect(offered.areThere).toBe(true);
});

test("an editor that answers before anybody could read has no buttons", async () => {
  const { buttons: offered } = buttons(() => null, 20);
  await expect(offered.offer("Really?", ["Yes"], signal)).rejects.toThrow("before anybody could read it");
  expect(offered.areThere).toBe(false);
});

test("an editor that refuses at once has no buttons", async () => {
  const { buttons: offered } = buttons(refuse, 20);
  await expect(offered.offer("Really?", ["Yes"], signal)).rejects.toThrow("unknown method");
  expect(offered.areThere).toBe(false);
});

test("an editor whose message closes alone still has buttons", async () => {
  const { buttons: offered } = buttons(refuse, 10_000);
  await expect(offered.offer("Really?", ["Yes"], signal)).rejects.toThrow("unknown method");
  expect(offered.areThere).toBe(true);
});

test("a message that nobody wants any more tells nothing of the buttons", async () => {
  const end = new AbortController();
  const decide = () => {
    end.abort();
    return refuse();
  };
  const { buttons: offered } = buttons(decide, 20);
  await expect(offered.offer("Really?", ["Yes"], end.signal)).rejects.toThrow();
  expect(offered.areThere).toBe(true);
});
