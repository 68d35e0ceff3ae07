import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { useFixtures } from "./fixtures.ts";

const { setUp, current } = useFixtures();

const files = {
  ".gitignore": "build\n",
  "build/out.js": "1",
  "src/cart.ts": "const one = 1;\nconst two = 2;\n",
  "src/deep/price.ts": "export const price = 3;\n",
  "README.md": "# Shop\n",
};

describe("the tree", () => {
  test("unfolds folders by keyboard, dims what git ignores, and opens a file", async () => {
    const { page, context } = await setUp({ files });
    const tree = page.getByRole("tree", { name: "Files" });
    await tree.getByRole("treeitem", { name: "build" }).waitFor();
    expect(await tree.getByRole("treeitem", { name: "build" }).getAttribute("title")).toContain(
      "ignored by git",
    );
    await tree.focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    await tree.getByRole("treeitem", { name: "cart.ts" }).waitFor();
    for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await page.getByRole("textbox", { name: "cart.ts, read only" }).waitFor();
    const { activePath } = await context(({ activePath: path }) => path !== undefined);
    expect(activePath).toMatch(/src.cart\.ts$/);
  });

  test("follows the active file: unfolds its folders and scrolls to it", async () => {
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`src/a-${index}.ts`, ""]));
    const { page, propose } = await setUp({ files: { ...files, ...many, "src/deep/er/last.ts": "last\n" } });
    await page.keyboard.press("/");
    await page.keyboard.type("last.ts");
    await page.getByRole("option", { name: "last.ts" }).waitFor();
    await page.keyboard.press("Enter");
    const row = page.getByRole("treeitem", { name: "last.ts" });
    await row.waitFor();
    await expect.poll(() => row.getAttribute("aria-current")).toBe("true");
    await propose("src/a-79.ts", "new\n");
    await expect
      .poll(() => page.getByRole("treeitem", { name: "a-79.ts" }).getAttribute("aria-current"))
      .toBe("true");
  });

  test("follows the disk while the page is open", async () => {
    const { page, folder, write } = await setUp({ files });
    const row = (name: string) => page.getByRole("treeitem", { name, exact: true });
    await row("README.md").waitFor();
    await row("src").click();
    await row("cart.ts").waitFor();
    await write("LICENSE", "MIT\n");
    await write("src/tax.ts", "");
    await row("LICENSE").waitFor();
    await row("tax.ts").waitFor();
    await rm(join(folder, "src/tax.ts"));
    await row("tax.ts").waitFor({ state: "detached" });
    await rename(join(folder, "src"), join(folder, "lib"));
    await row("lib").waitFor();
    await row("src").waitFor({ state: "detached" });
  });

  test("shows a hostile file name literally", async () => {
    const name = '<img src=x onerror="alert(1)">\u202egpj.exe';
    const { page } = await setUp({ files: { [name]: "<script>alert(1)</script>\n" } });
    page.on("dialog", () => expect.unreachable());
    await page.getByRole("treeitem", { name: "<img src=x" }).click();
    await page.getByText("<script>alert(1)</script>").waitFor();
    expect(await page.locator("img, main script").count()).toBe(0);
  });
});

test("the active tab is in sight among many, with its whole name", async () => {
  const names = Array.from({ length: 9 }, (_, index) => `a-rather-long-name-of-a-file-${index}.ts`);
  const { page, propose } = await setUp({ files: Object.fromEntries(names.map((name) => [name, ""])) });
  for (const name of names) await page.getByRole("treeitem", { name }).click();
  await propose("the-proposed-file-with-a-long-name.ts", "new\n");
  await page.getByRole("tab", { name: /the-proposed-file/ }).click();
  const isInSight = () =>
    page.evaluate(() => {
      const [bar, tab] = [".tab-bar", ".tab-active"].map((one) =>
        document.querySelector(one)?.getBoundingClientRect(),
      );
      return bar && tab && tab.left >= bar.left - 1 && tab.right <= bar.right + 1;
    });
  await expect.poll(isInSight).toBe(true);
  await page.setViewportSize({ width: 820, height: 800 });
  await expect.poll(isInSight).toBe(true);
});

test("files are found by a part of their name", async () => {
  const { page } = await setUp({ files });
  await page.keyboard.press("/");
  await page.keyboard.type("price");
  await page.getByRole("option", { name: "price.ts" }).waitFor();
  await page.keyboard.press("Enter");
  const editor = page.getByRole("textbox", { name: "price.ts, read only" });
  await expect.poll(() => editor.evaluate((element) => element === document.activeElement)).toBe(true);
});

test("Enter opens the file that is searched for, also when it comes before the answer", async () => {
  const { page } = await setUp({ files });
  const answers: (() => void)[] = [];
  await page.route("**/api/search?*", (route) => answers.push(() => void route.continue()));
  await page.getByRole("combobox", { name: "Find a file" }).fill("price");
  await page.keyboard.press("Enter");
  await expect.poll(() => answers.length).toBe(1);
  for (const go of answers) go();
  await page.locator(".cm-content:focus").waitFor();
  await page.getByRole("textbox", { name: "price.ts, read only" }).waitFor();
});

test("a file is found at a line, as compilers print it", async () => {
  const text = Array.from({ length: 300 }, (_, index) => `line ${index + 1}\n`).join("");
  const { page, context } = await setUp({ files: { "src/edit.ts": text } });
  await page.keyboard.press("/");
  await page.keyboard.type("edit.ts:240:3");
  await page.getByRole("option", { name: "edit.ts" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("line 240", { exact: true }).waitFor();
  const { files: open } = await context(({ files: [file] }) => file?.cursor?.line === 240);
  expect(open[0]?.cursor).toEqual({ line: 240, character: 3 });
});

describe("the context", () => {
  test("holds cursor and selection, 1-based and in UTF-16 units", async () => {
    const { page, context } = await setUp({ files: { "a.txt": "one\r\n😀 two\r\nthree\r\n" } });
    await page.getByRole("treeitem", { name: "a.txt" }).click();
    await page.getByRole("textbox", { name: "a.txt" }).focus();
    for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "Shift+End"]) await page.keyboard.press(key);
    const { files: open } = await context(({ files: [file] }) => file?.selectedText === "two");
    expect(open[0]).toMatchObject({ cursor: { line: 2, character: 7 }, selectedText: "two" });
  });

  test("has the line endings of a selection across lines", async () => {
    const { page, context } = await setUp({ files: { "a.txt": "one\r\ntwo\nthree" } });
    await page.getByRole("treeitem", { name: "a.txt" }).click();
    await page.getByRole("textbox", { name: "a.txt" }).focus();
    await page.keyboard.press("Control+a");
    await context(({ files: [file] }) => file?.selectedText === "one\r\ntwo\nthree");
  });

  test("no longer contains a file whose tab is closed", async () => {
    const { page, context } = await setUp({ files });
    await page.getByRole("treeitem", { name: "README.md" }).click();
    await context(({ activePath }) => activePath?.endsWith("README.md") ?? false);
    await page.getByTitle("Close README.md").click();
    const { activePath } = await context(({ files: open }) => open.length === 0);
    expect(activePath).toBeUndefined();
  });

  test("survives a reload of the page", async () => {
    const { page, context } = await setUp({ files });
    await page.getByRole("treeitem", { name: "README.md" }).click();
    await page.getByRole("textbox", { name: "README.md" }).waitFor();
    await page.reload();
    await page.getByRole("textbox", { name: "README.md" }).waitFor();
    await context(({ activePath }) => activePath?.endsWith("README.md") ?? false);
  });
});

describe("an open file", () => {
  test("follows the file on disk", async () => {
    const { page, write } = await setUp({ files });
    await page.getByRole("treeitem", { name: "README.md" }).click();
    await page.getByText("# Shop").waitFor();
    await write("README.md", "# Store, renamed\n");
    await page.getByText("# Store, renamed").waitFor();
  });

  test("keeps its place and its selection when its lines are wrapped or not", async () => {
    const text = Array.from({ length: 300 }, (_, index) => `line ${index + 1} ${"long ".repeat(80)}\n`).join(
      "",
    );
    const { page, context } = await setUp({ files: { "a.txt": text } });
    await page.getByRole("treeitem", { name: "a.txt" }).click();
    const editor = page.getByRole("textbox", { name: "a.txt" });
    await editor.focus();
    for (const key of ["Control+End", "ArrowUp", "Shift+ArrowRight"]) await page.keyboard.press(key);
    await context(({ files: [file] }) => file?.selection?.start.line === 300);
    await page.getByRole("tab").focus();
    for (const count of [0, 1]) {
      await page.keyboard.press("w");
      await expect.poll(() => page.locator(".cm-lineWrapping").count()).toBe(count);
      await page.getByText("line 300", { exact: false }).waitFor();
    }
    await editor.focus();
    await page.keyboard.press("Shift+ArrowRight"); // one more character
    await context(({ files: [file] }) => file?.selection?.start.line === 300 && file.selectedText === "lo");
  });

  test("has a panel that is named by its tab, also with spaces in its name", async () => {
    const { page } = await setUp({ files: { "a b.txt": "a\n" } });
    await page.getByRole("treeitem", { name: "a b.txt" }).click();
    await page.getByRole("tabpanel", { name: "a b.txt" }).waitFor();
  });

  test("that is binary is not shown", async () => {
    const { page } = await setUp({ files: { "logo.bin": Buffer.from([0, 1, 2, 255, 254, 0, 0, 1]) } });
    await page.getByRole("treeitem", { name: "logo.bin" }).click();
    await page.getByText("This is a binary file of 8 bytes; it is not shown.").waitFor();
  });

  test("of three megabytes opens, and shows what is switched off", async () => {
    const { page, context } = await setUp({ files: { "big.ts": "const a = 1; // line\n".repeat(150_000) } });
    await page.getByRole("treeitem", { name: "big.ts" }).click();
    await page.getByText("over 2 MB").waitFor();
    await page.getByRole("textbox", { name: "big.ts" }).focus();
    await page.keyboard.press("Control+End");
    await context(({ files: [file] }) => file?.cursor?.line === 150_001);
  });

  test("with a line of a million characters opens, and shows what is switched off", async () => {
    const { page, context } = await setUp({ files: { "min.js": `${"a=1;".repeat(250_000)}\nend\n` } });
    await page.getByRole("treeitem", { name: "min.js" }).click();
    await page.getByText("a line of over 10 000 characters").waitFor();
    await page.getByRole("textbox", { name: "min.js" }).focus();
    await page.keyboard.press("End");
    await context(({ files: [file] }) => file?.cursor?.character === 1_000_001);
  });

  test("shows invisible characters: NUL, BOM, bidirectional controls, a stray carriage return", async () => {
    const { page } = await setUp({ files: { "odd.txt": "\ufeffa\0b\u202ec\rd\n" } });
    await page.getByRole("treeitem", { name: "odd.txt" }).click();
    for (const name of ["BOM", "NUL", "RLO", "CR"]) {
      await page.locator(".cm-specialChar", { hasText: name }).first().waitFor();
    }
  });
});

describe("a file that an agent shows", () => {
  const text = Array.from({ length: 300 }, (_, index) => `line ${index + 1}\n`).join("");

  test("is shown at its line, which is then sent to the agents", async () => {
    const { page, frontend, folder, context } = await setUp({ files: { "long.txt": text } });
    await page.getByRole("treeitem", { name: "long.txt" }).waitFor();
    await frontend.editor.openFile?.({ path: join(folder, "long.txt"), line: 250, character: 3 });
    await page.getByText("line 250", { exact: true }).waitFor();
    const { files: open } = await context(({ files: [file] }) => file?.cursor?.line === 250);
    expect(open[0]?.cursor).toEqual({ line: 250, character: 3 });
    await frontend.editor.openFile?.({ path: join(folder, "long.txt"), line: 9999 });
    await context(({ files: [file] }) => file?.cursor?.line === 301);
  });

  test("does not replace a proposal, and is shown on request", async () => {
    const { page, frontend, folder, propose } = await setUp({
      files: { "long.txt": text, "a.txt": "one\n" },
    });
    await propose("a.txt", "two\n");
    const proposal = page.getByRole("textbox", { name: "a.txt as proposed, editable" });
    await proposal.waitFor();
    await frontend.editor.openFile?.({ path: join(folder, "long.txt"), line: 250 });
    await page.getByText("An agent wants to show you long.txt, line 250.").first().waitFor();
    expect(await proposal.isVisible()).toBe(true);
    await page.getByRole("button", { name: "Show it" }).click();
    await page.getByText("line 250", { exact: true }).waitFor();
  });
});

describe("what agents do not receive", () => {
  test("is shown above the file, and in the companion's panel", async () => {
    const { page, frontend, folder } = await setUp({ files: { ".env": "SECRET=1\n" } });
    await page.getByRole("treeitem", { name: ".env" }).click();
    await page.getByText("read only · shared with your agents").waitFor();
    const excluded = [join(folder, ".env")];
    frontend.onEvent({ kind: "sharing-changed", withheld: { isPaused: false, excluded }, wasPaused: false });
    await page.getByText("read only · not shared with agents").waitFor();
    await page.getByRole("heading", { name: "Not shared with agents" }).waitFor();
  });

  test("is everything while sharing is paused, which the page shows and ends", async () => {
    const paused: boolean[] = [];
    const { page } = await setUp({
      files,
      sharing: {
        pause: (isPaused) => {
          paused.push(isPaused);
          const withheld = { isPaused, excluded: [] };
          current().frontend.onEvent({ kind: "sharing-changed", withheld, wasPaused: !isPaused });
        },
      },
    });
    await page.getByRole("treeitem", { name: "README.md" }).click();
    await page.getByRole("button", { name: "Pause sharing" }).click();
    await page.getByText("read only · sharing is paused").waitFor();
    await page.getByRole("banner").getByText("Sharing paused").waitFor();
    await page.getByRole("button", { name: "Resume sharing" }).click();
    await page.getByText("read only · shared with your agents").waitFor();
    expect(paused).toEqual([true, false]);
  });
});
