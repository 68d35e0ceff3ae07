import { expect } from "vitest";
import { startFixture } from "./harness/fixture.ts";
import { gemini } from "./harness/gemini.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";

/** How each CLI words it to its model. */
const wordings = [
  {
    kind: gemini,
    expected: (path: string) => [
      `"path": "${path}",\n    "cursor": {\n      "line": 2,\n      "character": 18\n    }`,
      '"selectedText": "const text"',
    ],
  },
  {
    kind: qwen,
    expected: (path: string) => [
      `Active file:\n  Path: ${path}\n  Cursor: line 2, character 18\n`,
      "Selected text:\n```\nconst text\n```",
    ],
  },
];

for (const { kind, expected } of wordings) {
  scenario(
    `${kind.displayName}'s model receives the file, cursor and selection of the page`,
    async (sandbox) => {
      const path = await sandbox.write(
        "src/greeting.ts",
        'const who = "sandbox";\nexport const text = "Hello";\n',
      );
      const { page, cli } = await startFixture(sandbox, kind);
      await page.openFile("greeting.ts");
      await page.select("const text");
      await page.contextHolds("const text");
      await cli.say("Describe what you see");
      const { text } = await cli.model.request("Describe what you see");
      for (const piece of expected(path)) expect(text).toContain(piece);
    },
  );
}
