import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { inRepository } from "./repository.mjs";

const { linter, overrides } = JSON.parse(await readFile(inRepository("biome.json"), "utf8"));
const agents = "packages/companion/src/agents";

/** @returns {Promise<string[]>} the folders of agents that speak one protocol */
async function families() {
  const paths = await readdir(inRepository(agents), { recursive: true });
  return paths.flatMap((path) => /^([^/\\]+)[/\\]family\.ts$/.exec(path)?.[1] ?? []);
}

test("the linter keeps every agent family from importing another", async () => {
  const names = await families();
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) {
    const refused = overrides
      .filter(({ includes }) => includes.includes(`${agents}/${name}/**`))
      .flatMap((override) => override.linter.rules.style.noRestrictedImports.options.patterns)
      .flatMap(({ group }) => group);
    const others = names.filter((other) => other !== name).map((other) => `**/${other}/**`);
    expect(refused, name).toEqual(expect.arrayContaining(others));
  }
});

test("the linter refuses cycles of imports, those of types included, and long files", () => {
  const { suspicious, style } = linter.rules;
  expect(suspicious.noImportCycles).toEqual({ level: "error", options: { ignoreTypes: false } });
  expect(style.noExcessiveLinesPerFile).toEqual({ level: "error", options: { maxLines: 300 } });
});
