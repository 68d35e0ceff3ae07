import { expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";

const { setUp } = useFixtures({ mayComplain: true });

// More lines than a code unit can name, every one of them another.
const lines = Array.from({ length: 100_000 }, (_, index) => `const line${index} = ${index * 7919};\n`);
const before = lines.join("");
const changed = (every: number) =>
  lines.map((line, index) => (index % every === 7 ? line.replace("=", "= 1 +") : line)).join("");

test("a hundred thousand distinct lines are compared line by line", async () => {
  const fixture = await setUp({ files: { "big.ts": before } });
  await fixture.propose("big.ts", changed(25_000));
  await fixture.page.getByText("4 changes", { exact: true }).waitFor();
  await fixture.page.locator(".cm-merge-b .cm-changedLine").first().waitFor();
});

test("the page shows that a large proposal is being compared, and stays responsive", async () => {
  const fixture = await setUp({ files: { "big.ts": before } });
  const { page, propose, complaints } = fixture;
  const release: (() => void)[] = [];
  await page.route("**/diff-worker-*.js", (route) => {
    release.push(() => void route.continue());
  });
  await propose("big.ts", changed(25_000));
  await page
    .getByRole("status")
    .filter({ hasText: /^Comparing \d+\.\d MB of text …$/u })
    .waitFor();
  expect(await page.getByText("This text is the same as the file on disk.").count()).toBe(0);
  await page.getByText("const line7 = 1 + 55433;").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  for (const go of release) go();
  await page.getByText("4 changes", { exact: true }).waitFor();
  expect(await page.getByText("Comparing").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("a large proposal is also shown when the script of the comparison cannot be loaded", async () => {
  const fixture = await setUp({ files: { "big.ts": before } });
  await fixture.page.route("**/diff-worker-*.js", (route) => route.abort());
  await fixture.propose("big.ts", changed(25_000));
  await fixture.page.getByText("4 changes", { exact: true }).waitFor();
});

test("a large proposal with many changes is shown in one column, with a message", async () => {
  const fixture = await setUp({ files: { "big.ts": before } });
  await fixture.propose("big.ts", changed(100));
  await fixture.page.getByText("1000 changes", { exact: true }).waitFor();
  await fixture.page.getByText("they are shown in one column").waitFor();
  await fixture.page.locator(".diff-unified .cm-deletedChunk").first().waitFor();
});
