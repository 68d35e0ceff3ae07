import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { privateHost } from "../testing/core.ts";
import { readUserConfig } from "./user-config.ts";

function read(config: object) {
  const host = privateHost();
  const folder = path.join(host.home, ".config", "ide-companion");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "config.json"), JSON.stringify(config));
  return readUserConfig(host);
}

test("a command that opens files is a list of texts, and one that is none is reported", () => {
  expect(read({ editorCommand: ["code", "-g", "{file}:{line}"] })).toMatchObject({
    editorCommand: ["code", "-g", "{file}:{line}"],
    problems: [],
  });
  for (const editorCommand of ["code {file}", [], ["code", 1]]) {
    const { problems, ...config } = read({ editorCommand });
    expect(config).not.toHaveProperty("editorCommand");
    expect(problems.join()).toContain(
      "config.json cannot be used: editorCommand must be a list of texts, got",
    );
  }
});
