import { expect, test } from "vitest";
import { Evidence } from "./evidence.ts";

test("a short token takes no letters out of other words, and a long one is found in every place", () => {
  const [short, long] = [new Evidence(), new Evidence()];
  short.hide("e");
  long.hide("0123456789");
  expect(short.safe("Bearer e was refused")).toBe("Bearer <token> was refused");
  expect(long.safe("Bearer 0123456789x")).toBe("Bearer <token>x");
});

test("a private folder has a short name, the inner one first", () => {
  const evidence = new Evidence();
  evidence.shorten("/tmp/conf-a/w1", "<sandbox>");
  evidence.shorten("/tmp/conf-a/w1/app/files", "<files>");
  expect(evidence.safe("/tmp/conf-a/w1/app/files/a.txt and /tmp/conf-a/w1/tmp")).toBe(
    "<files>/a.txt and <sandbox>/tmp",
  );
});
