import { describe, expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";

const { setUp, current } = useFixtures({ mayComplain: true });

const before = `// A comment\nexport const one = "two" + 3;\n${"same();\n".repeat(20)}last();\n`;
const after = before.replace("two", "three").replace("last", "final");
const files = {
  ".gitignore": "ignored.txt\n",
  "ignored.txt": "",
  "src/a.ts": before,
  "odd.txt": "\ufeffa\0b\n",
};

describe("with forced colours", () => {
  const browser = { forcedColors: "active" } as const;

  test("inserted and deleted lines have different signs, and changed words different lines", async () => {
    const { page, propose } = await setUp({ files, browser });
    await propose("src/a.ts", after);
    await page.getByText("2 changes").waitFor();
    const look = (selector: string, pseudo?: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, part) => {
          const { backgroundColor, content } = getComputedStyle(element, part);
          return { backgroundColor, content, line: getComputedStyle(element).textDecorationLine };
        }, pseudo);
    const [added, removed] = [".cm-merge-b .cm-changedLineGutter", ".cm-merge-a .cm-changedLineGutter"];
    const [backgroundAdded, backgroundRemoved] = [await look(added), await look(removed)];
    expect(backgroundAdded.backgroundColor).not.toBe(backgroundRemoved.backgroundColor);
    expect([await look(added, "::before"), await look(removed, "::before")]).toMatchObject([
      { content: '"+"' },
      { content: '"−"' },
    ]);
    expect((await look(".cm-merge-b .cm-changedText")).line).toBe("underline");
    expect((await look(".cm-merge-a .cm-changedText")).line).toBe("line-through");
    await page.keyboard.press("u");
    await page.locator(".diff-unified .cm-deletedLineGutter").first().waitFor();
    expect((await look(".cm-deletedChunk .cm-deletedText")).line).toBe("line-through");
    const unified = [await look(".cm-changedLineGutter"), await look(".cm-deletedLineGutter")];
    expect(unified[0]?.backgroundColor).not.toBe(unified[1]?.backgroundColor);
  });

  test("the file that is read is marked in the list, and the focus is seen wherever it goes", async () => {
    const { page, propose } = await setUp({ files, browser });
    await propose("src/a.ts", after);
    await propose("odd.txt", "new\n");
    await page.getByText("2 changes").waitFor();
    const items = page.locator(".waiting-item");
    const colours = await items.evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    expect(new Set(colours).size).toBe(2);
    const unseen = () =>
      page.evaluate(() => {
        const element = document.activeElement;
        if (!element || element === document.body) return [];
        // A tree marks its current row, an editor its cursor.
        const editor = element.matches(".cm-content") ? element.closest(".cm-editor") : null;
        const shown = element.querySelector(".tree-current") ?? editor ?? element;
        const { outlineStyle, outlineWidth } = getComputedStyle(shown);
        return outlineStyle === "none" || outlineWidth === "0px" ? [element.outerHTML.slice(0, 120)] : [];
      });
    await page.keyboard.press("Escape");
    for (const key of ["F6", "F6", "F6", "F6", ...Array.from({ length: 24 }, () => "Tab")]) {
      await page.keyboard.press(key);
      // The editor marks its own focus a moment later.
      await expect.poll(unseen, { message: key }).toEqual([]);
    }
  });
});

test.each([
  ["reduce", false],
  ["no-preference", true],
] as const)("with the user's preference %s for motion, things move: %s", async (reducedMotion, moves) => {
  const { page, propose } = await setUp({ files, browser: { reducedMotion } });
  await propose("src/a.ts", after);
  await page.getByText("2 changes").waitFor();
  await page.keyboard.press("i");
  await propose("odd.txt", "new\n");
  await page.getByText("proposes a change of odd.txt").first().waitFor();
  const durations = await page
    .locator("button, .tree-twist, .toast")
    .evaluateAll((all) => all.map((one) => getComputedStyle(one)).map((style) => style.transitionDuration));
  expect(durations.some((duration) => !/^0s(, 0s)*$/.test(duration))).toBe(moves);
  const animations = await page
    .locator(".toast")
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).animationName));
  expect(animations.some((name) => name !== "none")).toBe(moves);
});

test("the sheet lists the keys, and Escape closes it", async () => {
  const { page } = await setUp({ files });
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const title of ["Accept, or keep the written file", "Next change", "Find a file", "This sheet"]) {
    await sheet.getByText(title, { exact: true }).waitFor();
  }
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "hidden" });
});

test("the theme and the layout are remembered", async () => {
  const { page } = await setUp({ files });
  await page.keyboard.press("t");
  await page.reload();
  await page.getByRole("treeitem", { name: "odd.txt" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
});

test("F6 moves through the areas of the page", async () => {
  const { page } = await setUp({ files });
  await page.getByRole("treeitem", { name: "odd.txt" }).waitFor();
  const labels: (string | null)[] = [];
  for (let step = 0; step < 3; step += 1) {
    await page.keyboard.press("F6");
    labels.push(
      await page.evaluate(() => {
        const { activeElement } = document;
        return activeElement?.getAttribute("aria-label") ?? activeElement?.id ?? null;
      }),
    );
  }
  expect(labels).toEqual(["file-tree", "Files and proposals", "Companion"]);
});

test("the page requests nothing from other origins", async () => {
  const { page, frontend, propose } = await setUp({ files });
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(frontend.url)) foreign.push(request.url());
  });
  await propose("src/a.ts", after);
  await page.getByText("2 changes").waitFor();
  expect(foreign).toEqual([]);
  expect(current().complaints).toEqual([]);
});

test("the compressed page has less than 200 kB", async () => {
  const { page } = await setUp({ files });
  await page.getByRole("treeitem", { name: "odd.txt" }).waitFor();
  const loaded = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name }) => name.includes("/assets/"))
      .map(({ name, encodedBodySize, decodedBodySize }) => ({ name, encodedBodySize, decodedBodySize })),
  );
  const sum = (sizes: readonly number[]) => sizes.reduce((one, other) => one + other, 0);
  const encoded = sum(loaded.map(({ encodedBodySize }) => encodedBodySize));
  expect(encoded, JSON.stringify(loaded)).toBeGreaterThan(50_000);
  expect(encoded, JSON.stringify(loaded)).toBeLessThan(200_000);
  expect(encoded).toBeLessThan(sum(loaded.map(({ decodedBodySize }) => decodedBodySize)) / 2);
});

test("the page asks at once for whatever its script imports", async () => {
  const { frontend, page } = await setUp({ files });
  const read = async (path: string) => (await page.request.get(new URL(path, frontend.url).href)).text();
  const html = await read("/");
  const [, script = ""] = /<script type="module" src="([^"]+)"/.exec(html) ?? [];
  const imports = [...(await read(script)).matchAll(/\b(?:from|import)"\.\/([^"]+)"/g)].map(
    ([, name]) => name,
  );
  expect(imports.length).toBeGreaterThan(0);
  for (const name of imports) expect(html).toContain(`<link rel="modulepreload" href="assets/${name}" />`);
});

test("the page has the browser's language, or the one that the user chooses", async () => {
  const { page, propose } = await setUp({ files, browser: { locale: "pt-BR" } });
  await page.getByRole("navigation", { name: "Propostas que esperam e arquivos" }).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("pt-br");
  await propose("src/a.ts", after);
  await page.getByRole("button", { name: "Aceitar", exact: true }).waitFor();
  await page.getByText("Mudança 1 de 2").waitFor();
  await page.getByRole("combobox", { name: "Idioma" }).selectOption("简体中文");
  await page.getByRole("button", { name: "接受", exact: true }).waitFor();
  await page.getByText("第 1 处更改，共 2 处").waitFor();
  await page.reload();
  await page.getByRole("button", { name: "接受", exact: true }).waitFor();
  expect(current().complaints).toEqual([]);
});
