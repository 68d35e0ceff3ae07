import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";

const { setUp, current } = useFixtures({ mayComplain: true });

const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe finds serious or critical. */
async function faults(page: Page): Promise<unknown[]> {
  // Not as a script of the page, which its policy would refuse.
  await page.evaluate(await readFile(axePath, "utf8"));
  return page.evaluate(async () => {
    const axe = Reflect.get(globalThis, "axe");
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }: { impact: string }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }: { id: string; nodes: { html: string; failureSummary: string }[] }) => ({
        id,
        nodes: nodes.slice(0, 4).map(({ html, failureSummary }) => [html.slice(0, 200), failureSummary]),
      }));
  });
}

const before = `// A comment\nexport const one = "two" + 3;\n${"same();\n".repeat(20)}last();\n`;
const after = before.replace("two", "three").replace("last", "final");
const files = {
  ".gitignore": "ignored.txt\n",
  "ignored.txt": "",
  "src/a.ts": before,
  "odd.txt": "\ufeffa\0b\n",
};

for (const colorScheme of ["light", "dark"] as const) {
  describe(`axe finds nothing serious in the ${colorScheme} theme`, () => {
    test("in an empty page and in the sheet of keys", async () => {
      const { page } = await setUp({ files, browser: { colorScheme } });
      await page.getByRole("treeitem", { name: "odd.txt" }).waitFor();
      expect(await faults(page)).toEqual([]);
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      expect(await faults(page)).toEqual([]);
    });

    test("in a change with comments, and with comments that wait", async () => {
      const { page, propose, recoverComments } = await setUp({ files, browser: { colorScheme } });
      const proposal = await propose("src/a.ts", after);
      await page.getByRole("textbox", { name: "a.ts as proposed, editable" }).waitFor();
      for (const [key, words] of [
        ["j", "Why final?"],
        ["k", "Why three?"],
      ] as const) {
        await page.keyboard.press(key);
        await page.keyboard.press("c");
        await page.getByRole("textbox", { name: /^Comment on line/ }).fill(words);
        if (key === "j") await page.keyboard.press("Escape");
      }
      await page.getByText("2 comments", { exact: true }).waitFor();
      expect(await faults(page)).toEqual([]);
      await page.getByRole("button", { name: "Reject and say why" }).click();
      await page.getByText("Decisions will be listed here.").waitFor({ state: "detached" });
      recoverComments(proposal, "The prompt of Qwen Code could not be reached.");
      await page.getByRole("region", { name: /^Comments that wait/ }).waitFor();
      expect(await faults(page)).toEqual([]);
    });

    test("in an open file, with a session, a selection and files found", async () => {
      const { page, frontend, session, folder } = await setUp({ files, browser: { colorScheme } });
      frontend.onEvent({ kind: "session-opened", session });
      frontend.onEvent({ kind: "stream-opened", session });
      const path = `${folder}/odd.txt`;
      const file = {
        path,
        focusedAt: 1,
        isActive: true as const,
        cursor: { line: 1, character: 1 },
        selectedText: "a",
      };
      frontend.onEvent({
        kind: "context-sent",
        context: { files: [file] },
        sessions: 1,
      });
      await page.getByRole("treeitem", { name: "odd.txt" }).click();
      await page.locator(".cm-specialChar").first().waitFor();
      await page.getByRole("textbox", { name: "odd.txt, read only" }).focus();
      expect(await faults(page)).toEqual([]);
      await page.getByRole("combobox", { name: "Find a file" }).fill("a");
      await page.getByRole("option").first().waitFor();
      expect(await faults(page)).toEqual([]);
    });

    test("in both diffs, with badges, strips, history and recovered edits", async () => {
      const { page, propose, closeFromTerminal, write } = await setUp({ files, browser: { colorScheme } });
      const first = await propose("src/a.ts", after);
      await page.getByText("2 changes").waitFor();
      await page.getByRole("button", { name: "Mark change 1 as viewed" }).click();
      await write("src/a.ts", `${before}more\n`);
      await page.getByText("The file on disk has changed").waitFor();
      expect(await faults(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.keyboard.press("u");
      await page.locator(".diff-unified .cm-deletedLine").first().waitFor();
      await page.keyboard.press("i");
      await page.keyboard.type("x");
      await page.getByText("edited by you").waitFor();
      expect(await faults(page)).toEqual([]);
      await propose("odd.txt", "a\r\nb");
      await page.getByText("proposes a change of odd.txt").first().waitFor();
      await closeFromTerminal(first);
      await page.getByText("is saved").first().waitFor();
      expect(await faults(page)).toEqual([]);
    });

    test("in a list of many changes, in the question about them, and while a turn is accepted", async () => {
      const { page, propose } = await setUp({ files, browser: { colorScheme } });
      for (const name of ["1", "2", "3", "4", "5", "6"]) await propose(`${name}.txt`, "new\n");
      await page.getByRole("textbox", { name: "Filter the waiting changes" }).waitFor();
      expect(await faults(page)).toEqual([]);
      await page.getByRole("button", { name: "Accept rest …" }).click();
      await page.getByRole("checkbox").check();
      await page.getByRole("textbox", { name: "Stop at files that match" }).fill("*");
      expect(await faults(page)).toEqual([]);
      await page.getByRole("button", { name: "Accept 6 changes" }).click();
      await page.getByRole("button", { name: "Stop" }).waitFor();
      expect(await faults(page)).toEqual([]);
    });
  });
}

describe("axe finds nothing serious", () => {
  const long = `${Array.from({ length: 400 }, (_, index) => `const line${index} = ${"1 + ".repeat(60)}1;`).join("\n")}\n`;

  test("in a long file and a long diff that scroll both ways, and in their searches", async () => {
    const { page, propose } = await setUp({ files: { "long.ts": long } });
    await page.keyboard.press("w");
    await page.getByRole("treeitem", { name: "long.ts" }).click();
    await page.getByRole("textbox", { name: "long.ts, read only" }).focus();
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press("Control+f");
    await page.getByRole("textbox", { name: "Find", exact: true }).waitFor();
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await propose("long.ts", long.replaceAll("9 =", "nine ="));
    await page.getByRole("tab", { name: "± long.ts" }).click();
    await page.getByText("40 changes").waitFor();
    expect(await faults(page)).toEqual([]);
    await page.keyboard.press("u");
    await page.locator(".diff-unified").waitFor();
    expect(await faults(page)).toEqual([]);
  });

  test("in recovered edits that are compared with the disk", async () => {
    const { page, propose, closeFromTerminal } = await setUp({ files: { "long.ts": long } });
    const proposal = await propose("long.ts", long.replaceAll("9 =", "nine ="));
    await page.getByText("40 changes").waitFor();
    await page.keyboard.press("i");
    await page.keyboard.type("mine");
    await page.getByText("edited by you").waitFor();
    await closeFromTerminal(proposal);
    await page.getByRole("button", { name: "Compare" }).click();
    await page.locator(".badge").getByText("recovered", { exact: true }).waitFor();
    await page.locator(".diff .cm-scroller").first().waitFor();
    expect(await faults(page)).toEqual([]);
  });

  test("in a narrow window, and with each panel open over the text", async () => {
    const { page, propose } = await setUp({ files, browser: { viewport: { width: 390, height: 700 } } });
    await propose("src/a.ts", after);
    await page.getByText("2 changes").waitFor();
    expect(await faults(page)).toEqual([]);
    for (const key of ["b", "m"]) {
      await page.keyboard.press(key);
      await page.locator(".overlay").waitFor();
      expect(await faults(page)).toEqual([]);
    }
  });
});

test("the sheet lists the keys, and Escape closes it", async () => {
  const { page } = await setUp({ files });
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const title of ["Accept", "Reject", "Next change", "Find a file", "This sheet"]) {
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
