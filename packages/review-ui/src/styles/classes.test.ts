import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "..");
const read = (pattern: RegExp) =>
  readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => pattern.test(name))
    .map((name) => readFileSync(join(source, name), "utf8"))
    .join("\n");

test("every class of the style sheets is used in the page", () => {
  const rules = read(/\.css$/).replaceAll(/url\([^)]*\)|\/\*[\s\S]*?\*\//g, "");
  const classes = new Set([...rules.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name ?? ""));
  const code = read(/(?<!\.test)\.tsx?$/);
  // A component may compose a name: `toast-${level}`. CodeMirror adds its classes.
  const isComposed = (name: string) => {
    const [, start, end] = /^(badge|button|kind|outcome|strip|toast)-(\w+)$/.exec(name) ?? [];
    return code.includes(`${start}-\${`) && new RegExp(`\\b${end}\\b`).test(code);
  };
  const unused = [...classes].filter(
    (name) => !code.includes(name) && !isComposed(name) && !name.startsWith("cm-"),
  );
  expect(unused).toEqual([]);
});
