import { expect, test } from "vitest";
import { createRefusalNews } from "./guard.ts";

test("a stranger who knocks a million times does not fill the log", () => {
  let now = 0;
  const sent: string[] = [];
  const news = createRefusalNews(
    ({ status, reason }) => sent.push(`${status} ${reason}`),
    () => now,
  );
  for (let count = 0; count < 1_000_000; count += 1) news(401, "no token");
  for (let count = 0; count < 1000; count += 1) news(401, `${count} tokens`);
  expect(sent).toHaveLength(8);
  expect(sent[0]).toBe("401 no token");
  now = 61_000;
  news(401, "no token");
  expect(sent).toHaveLength(9);
});
