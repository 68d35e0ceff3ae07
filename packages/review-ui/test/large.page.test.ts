import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Bench, type Laboratory, openLaboratory } from "./laboratory.ts";

let laboratory: Laboratory;
let bench: Bench;
beforeAll(async () => {
  laboratory = await openLaboratory();
});
afterEach(() => bench.close());
afterAll(() => laboratory.close());

// More lines than a code unit can name, every one of them another.
const lines = Array.from({ length: 100_000 }, (_, index) => `const line${index} = ${index * 7919};\n`);
const before = lines.join("");
const changed = (every: number) =>
  lines.map((line, index) => (index % every === 7 ? line.replace("=", "= 1 +") : line)).join("");

test("a hundred thousand distinct lines are compared line by line", async () => {
  bench = await laboratory.bench({ files: { "big.ts": before } });
  await bench.propose("big.ts", changed(25_000));
  await bench.page.getByText("4 changes", { exact: true }).waitFor();
  await bench.page.locator(".cm-merge-b .cm-changedLine").first().waitFor();
});

test("a large proposal says that it is being compared, and the page goes on meanwhile", async () => {
  bench = await laboratory.bench({ files: { "big.ts": before } });
  const { page, propose, complaints } = bench;
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

test("a large proposal is shown also when the comparison's script cannot be had", async () => {
  bench = await laboratory.bench({ files: { "big.ts": before } });
  await bench.page.route("**/diff-worker-*.js", (route) => route.abort());
  await bench.propose("big.ts", changed(25_000));
  await bench.page.getByText("4 changes", { exact: true }).waitFor();
});

test("a large proposal with many changes is shown in one column, and says so", async () => {
  bench = await laboratory.bench({ files: { "big.ts": before } });
  await bench.propose("big.ts", changed(100));
  await bench.page.getByText("1000 changes", { exact: true }).waitFor();
  await bench.page.getByText("they are shown in one column").waitFor();
  await bench.page.locator(".diff-unified .cm-deletedLine").first().waitFor();
});
