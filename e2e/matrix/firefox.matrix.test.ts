import { expect } from "vitest";
import { eventually } from "../../packages/testkit/src/eventually.ts";
import { startCompanion } from "../harness/companion.ts";
import { startFakeCli } from "../harness/fake-cli.ts";
import { firefox } from "../harness/firefox.ts";
import { openInFirefox } from "../harness/firefox-page.ts";
import { gemini } from "../harness/gemini.ts";
import { scenario } from "../harness/scenario.ts";
import { setUpUnasking, unaskingGemini } from "../harness/unasking.ts";

const needs = { Firefox: firefox };

/** Lines 1 to 60, some of them changed. */
const poem = (changed: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: 60 }, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}\n`).join("");

scenario(
  "in Firefox a file is found and a selection sent; a proposal is edited, reloaded, accepted by keys, another one rejected with a comment",
  async (sandbox) => {
    await sandbox.write("src/greeting.ts", 'const who = "sandbox";\nexport const text = "Hello";\n');
    const path = await sandbox.write("poem.txt", poem());
    const { link } = await startCompanion(sandbox);
    const [page, cli] = await Promise.all([openInFirefox(sandbox, link), startFakeCli(sandbox)]);

    await page.find("combobox", "Find a file");
    await page.press("/");
    await page.type("greeting");
    await page.says("src/");
    await page.press("Enter");
    await page.select("textbox", "greeting.ts, read only", "const text");
    await eventually(() => expect(JSON.stringify(cli.context)).toContain('"selectedText":"const text"'));
    await page.press("Control+c");

    const decided = cli.propose(path, poem({ 3: "third", 28: "as proposed" }));
    const proposed = ["textbox", "poem.txt as proposed, editable"] as const;
    await page.find(...proposed);
    await page.press("i", "End");
    await page.type(" by hand ");
    await page.compose("にほ", "日本");
    await page.press("Control+v");
    await page.says("third by hand 日本const text");
    await page.reload();
    await page.find(...proposed);
    await page.says("third by hand 日本const text");
    await page.press("j", "n");
    await page.says("1 change");
    await page.press("Control+Enter");
    expect(await decided).toEqual({ kind: "accepted", content: poem({ 3: "third by hand 日本const text" }) });

    const rejected = cli.propose(sandbox.path("unwanted.txt"), "No.\n");
    await page.find("textbox", "unwanted.txt as proposed, editable");
    await page.press("c");
    await page.find("textbox", "Comment on line 1");
    await page.type("Leave it");
    await page.press("Escape", "Control+Shift+Backspace");
    expect(await rejected).toMatchObject({
      kind: "rejected",
      comments: [{ startLine: 1, text: "Leave it" }],
    });
  },
  { needs },
);

scenario(
  "in Firefox what an agent has written is kept, reverted and undone by keys",
  async (sandbox) => {
    const path = await sandbox.write("poem.txt", poem());
    const { link } = await startCompanion(sandbox);
    const [page, { prompt }] = await Promise.all([
      openInFirefox(sandbox, link),
      setUpUnasking(sandbox, unaskingGemini),
    ]);
    await prompt(
      "Change it",
      { call: "read_file", args: { file_path: path } },
      gemini.replaceCall(path, "line 3\n", "third\n"),
      gemini.replaceCall(path, "line 50\n", "fiftieth\n"),
      { text: "Done." },
    );
    const file = async () => String(await sandbox.read("poem.txt"));
    await page.says("Gemini CLI changed poem.txt: +2 −2");
    await page.press("W");
    await page.says("poem.txt: Change 1 of 2");
    await page.press("n");
    await page.says("poem.txt: Change 1 of 1");
    expect(await file()).toBe(poem({ 50: "fiftieth" }));
    await page.press("z");
    await page.says("poem.txt: Change 1 of 2");
    expect(await file()).toBe(poem({ 3: "third", 50: "fiftieth" }));
    await page.press("y");
    await page.says("Kept: change 1 of poem.txt");
    await page.says("poem.txt: Change 1 of 1");
    await page.press("n");
    await page.says("Nothing of this turn waits any more.");
    expect(await file()).toBe(poem({ 3: "third" }));
  },
  { needs },
);

scenario(
  "in Firefox the page tries no socket while the companion is away, for which the browser would delay the next one",
  async (sandbox) => {
    const companion = await startCompanion(sandbox);
    const page = await openInFirefox(sandbox, companion.link);
    await page.says("no CLI connected");
    await companion.stop();
    await page.says("Disconnected.");
    await startCompanion(sandbox);
    await page.says("no CLI connected");
  },
  { needs },
);
