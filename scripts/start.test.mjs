import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inRepository } from "./repository.mjs";

test("npm start where no registry answers says so, without the lines of code that were running", async () => {
  const clone = await mkdtemp(join(tmpdir(), "start-"));
  onTestFinished(() => rm(clone, { recursive: true, force: true }));
  await cp(inRepository("scripts"), join(clone, "scripts"), { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) await cp(inRepository(name), join(clone, name));
  const npm = join(clone, "npm.mjs");
  await writeFile(npm, 'console.error("npm error request to https://registry failed"); process.exit(1);');
  const env = { ...process.env, npm_execpath: npm };
  const end = await new Promise((resolve) => {
    const script = join(clone, "scripts", "start.mjs");
    execFile(process.execPath, [script], { cwd: clone, env }, (error, _, stderr) =>
      resolve({ code: error?.code, stderr }),
    );
  });
  expect(end).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /request to https:\/\/registry failed\n\nide-companion could not be built\. .+ ended with 1\n$/,
    ),
  });
});
