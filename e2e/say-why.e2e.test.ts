import type { Page } from "playwright-core";
import { expect } from "vitest";
import { startFixture } from "./harness/fixture.ts";
import { gemini } from "./harness/gemini.ts";
import { pressUntil } from "./harness/press-until.ts";
import { scenario } from "./harness/scenario.ts";
import { pressUntil as pressInTerminal } from "./harness/terminal.ts";

scenario(
  "ten files of one turn of Gemini CLI are reviewed by keyboard alone, and a comment on the last one arrives in the model's next request",
  async (sandbox) => {
    const { page: review, cli } = await startFixture(sandbox, gemini);
    const { page } = review;
    const names = Array.from({ length: 10 }, (_, index) => `file-${index}.txt`);
    const write = (name: string) => ({
      call: "write_file",
      args: { file_path: sandbox.path(name), content: `${name}\nsecond\n` },
    });
    cli.model.plan(...names.map(write), { text: "All ten are done." });
    await cli.say("Write ten files");
    for (const name of names.slice(0, 9)) {
      await firstChange(page, name);
      if (name === "file-4.txt") {
        for (const key of ["i", "Control+Home", "End"]) await page.keyboard.press(key);
        await page.keyboard.type(", mine");
        await page.keyboard.press("Escape");
      }
      await decide(page, "Control+Enter", name);
    }
    await firstChange(page, "file-9.txt");
    await page.keyboard.press("c");
    await page.keyboard.type("Why ten?");
    await page.keyboard.press("Escape");
    const asked = cli.model.requests.length;
    await decide(page, "Control+Shift+Backspace", "file-9.txt");
    await page.getByText("Your comments are in the prompt of Gemini CLI").first().waitFor();

    const sent = () => cli.model.requests.slice(asked).filter(({ text }) => text.includes("Why ten?"));
    expect(sent(), "before Enter").toEqual([]);
    await pressInTerminal(cli.terminal, "Enter", () => sent().length > 0);
    // In one line where tmux does not tell of pastes.
    const words = sent()[0]?.text.replaceAll(/\s+/g, " ");
    expect(words).toContain(`@${sandbox.path("file-9.txt")}:1 > file-9.txt Why ten?`);
    for (const name of names.slice(0, 9)) {
      const first = name === "file-4.txt" ? `${name}, mine` : name;
      expect(String(await sandbox.read(name))).toBe(`${first}\nsecond\n`);
    }
    expect(await sandbox.read("file-9.txt")).toBeUndefined();
  },
);

const proposed = (page: Page, name: string) =>
  page.getByRole("textbox", { name: `${name} as proposed, editable` });

/** Its first change is the current one. */
async function firstChange(page: Page, name: string): Promise<void> {
  await proposed(page, name).waitFor();
  await page.locator(".panel:not([hidden]) .hunk-current").first().waitFor();
}

/** Presses a key until it decides: a diff that has just opened takes none at first. */
const decide = (page: Page, key: string, name: string): Promise<void> =>
  pressUntil(page, [key], async () => (await proposed(page, name).count()) === 0);

const lines = (changed: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 30 }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join("");

scenario(
  "a change of Gemini CLI is undone by a key at once, and later in the page, when the CLI has changed the file again",
  async (sandbox) => {
    const path = await sandbox.write("poem.txt", lines());
    const { page: review, cli } = await startFixture(sandbox, gemini);
    const { page } = review;
    const change = async (before: string, after: string) => {
      await cli.proposeReplace(path, before, after);
      const proposal = await review.proposal("poem.txt");
      await proposal.accept();
      await cli.finished();
      await proposal.gone();
    };
    await change("line 1\n", "first\n");
    await page.getByRole("button", { name: "Undo", exact: true }).waitFor();
    await page.keyboard.press("z");
    await page.getByText("The change of poem.txt is undone.").first().waitFor();
    expect(String(await sandbox.read("poem.txt"))).toBe(lines());
    await change("line 3\n", "third\n");
    await change("line 28\n", "twenty-eighth\n");
    expect(String(await sandbox.read("poem.txt"))).toBe(lines({ 3: "third", 28: "twenty-eighth" }));
    const entries = page.getByRole("region", { name: "History" }).getByRole("button", { name: "poem.txt" });
    await expect.poll(() => entries.count()).toBe(3);
    await entries.nth(1).click();
    await page.getByRole("button", { name: "If undone" }).click();
    const undo = page.getByRole("button", { name: "Undo this change" });
    await undo.waitFor();
    expect(String(await sandbox.read("poem.txt")), "before the click").toBe(
      lines({ 3: "third", 28: "twenty-eighth" }),
    );
    await undo.click();
    await expect
      .poll(async () => String(await sandbox.read("poem.txt")))
      .toBe(lines({ 28: "twenty-eighth" }));
  },
  { matrix: true },
);
