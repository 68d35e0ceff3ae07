import { expect } from "vitest";
import { startFixture } from "./harness/fixture.ts";
import { gemini } from "./harness/gemini.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";

/** Lines 1 to 30; the proposal changes the third and the twenty-eighth, far enough apart to be two changes. */
const before = lines();
const proposed = lines({ 3: "third, as proposed", 28: "twenty-eighth, as proposed" });

/** How each CLI words to its model what the user looks at. */
const agents = [
  {
    kind: gemini,
    context: (path: string) => [
      `"path": "${path}",\n    "cursor": {\n      "line": 2,\n      "character": 18\n    }`,
      '"selectedText": "const text"',
    ],
  },
  {
    kind: qwen,
    context: (path: string) => [
      `Active file:\n  Path: ${path}\n  Cursor: line 2, character 18\n`,
      "Selected text:\n```\nconst text\n```",
    ],
  },
];

for (const { kind, context } of agents) {
  scenario(
    `${kind.displayName} has file, cursor and selection of the page, writes exactly what is accepted, and nothing that is rejected`,
    async (sandbox) => {
      const greeting = 'const who = "sandbox";\nexport const text = "Hello";\n';
      const open = await sandbox.write("src/greeting.ts", greeting);
      const path = await sandbox.write("poem.txt", before);
      const { page, cli } = await startFixture(sandbox, kind, { isWhole: true });

      await page.openFile("greeting.ts");
      await page.select("const text");
      await page.contextHolds("const text");
      await cli.say("Describe what you see");
      const { text } = await cli.model.request("Describe what you see");
      for (const piece of context(open)) expect(text).toContain(piece);
      await cli.terminal.waitFor("Done.");

      await cli.proposeWrite(path, proposed);
      const proposal = await page.proposal("poem.txt");
      await proposal.edit("third, as proposed", "third, as I want it");
      await proposal.revert(2);
      expect(String(await sandbox.read("poem.txt")), "before the decision").toBe(before);
      await proposal.accept();
      await cli.finished();
      expect(String(await sandbox.read("poem.txt"))).toBe(lines({ 3: "third, as I want it" }));
      await proposal.gone();

      await cli.proposeWrite(sandbox.path("unwanted.txt"), "No.\n");
      const unwanted = await page.proposal("unwanted.txt");
      await unwanted.reject();
      await cli.terminal.waitFor(kind.rejected);
      await unwanted.gone();
      expect(await sandbox.read("unwanted.txt")).toBeUndefined();
    },
    { matrix: kind === qwen },
  );
}

function lines(changed: Readonly<Record<number, string>> = {}): string {
  let text = "";
  for (let number = 1; number <= 30; number += 1) text += `${changed[number] ?? `line ${number}`}\n`;
  return text;
}

scenario(
  "the rest of a turn of Gemini CLI is accepted ahead, except for a file that the user named",
  async (sandbox) => {
    const { page: review, cli } = await startFixture(sandbox, gemini);
    const { page } = review;
    const names = ["one.txt", "two.txt", "three.sql"];
    const write = (name: string) => ({
      call: "write_file",
      args: { file_path: sandbox.path(name), content: `${name}\n` },
    });
    cli.model.plan(...names.map(write), { text: "All three are done." });
    await cli.say("Write three files");
    await review.proposal("one.txt");
    await page.getByTitle("Accept the rest of what Gemini CLI proposes").click();
    await page.getByRole("checkbox").check();
    await page.getByRole("textbox", { name: "Stop at files that match" }).fill("*.sql");
    await page.getByRole("button", { name: "Accept 1 change" }).click();

    const last = await review.proposal("three.sql");
    expect(String(await sandbox.read("one.txt"))).toBe("one.txt\n");
    expect(String(await sandbox.read("two.txt"))).toBe("two.txt\n");
    await page.getByText("accepted ahead", { exact: false }).first().waitFor();
    await last.accept();
    await cli.terminal.waitFor("All three are done.");
    expect(String(await sandbox.read("three.sql"))).toBe("three.sql\n");
  },
  { matrix: true },
);
