import { expect, test } from "vitest";
import { createLaterPart } from "./later-part.ts";

test("a part is made once, for all who need it at once", async () => {
  let made = 0;
  const part = createLaterPart(async () => {
    made += 1;
    return made;
  });
  expect(await Promise.all([part.get(), part.get()])).toEqual([1, 1]);
  expect(await part.made()).toBe(1);
});

test("a part that could not be loaded is not missing for ever, and says why", async () => {
  let files = 0;
  const part = createLaterPart(async () => {
    if (files === 0) throw Object.assign(new Error("open '/secret/place'"), { code: "EMFILE" });
    return "part";
  });
  await expect(part.get()).rejects.toThrow(
    "a part of ide-companion could not be loaded: too many files are open. When that is over, restart ide-companion.",
  );
  expect(await part.made()).toBeUndefined();
  files = 1;
  expect(await part.get()).toBe("part");
});
