import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { privateFolder } from "../packages/testkit/src/private-folder.ts";
import { packedReadme } from "../packages/vscode/package.mjs";
import { inRepository } from "../scripts/repository.mjs";
import { npm } from "../scripts/set-up/npm-packages.mjs";
import { versionFaults } from "./check-version.mjs";
import { countDependencies, dependenciesWithoutReason, licencesWeCannotShip } from "./dependencies.mjs";
import { namesInZip, pack } from "./pack.mjs";
import { compareWithList, extension, published } from "./published.mjs";

/** All that `npm ci` reads. */
const manifests = [".npmrc", "package.json", "package-lock.json", "packages/*/package.json"];

describe.each(published)("the npm package $name", (entry) => {
  let packed;
  beforeAll(async () => {
    packed = await pack(entry.folder, await realpath(await mkdtemp(join(tmpdir(), "ide-companion-pack-"))));
  }, 60_000);
  afterAll(() => rm(dirname(packed.tarball), { recursive: true, force: true }));

  test("holds what is on its list, and nothing else", async () => {
    expect(await compareWithList(entry, packed.files)).toEqual({ unlisted: [], missing: [] });
  });

  test("runs where nothing else is installed, and tells no path of the machine that has built it", async () => {
    const { folder, files } = packed;
    const { bin, version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const [program] = Object.values(bin);
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, program), "--version"]);
    expect(stdout.trim()).toBe(version);
    for (const file of files) {
      const text = await readFile(join(folder, file), "utf8");
      expect(text.includes(inRepository()), `${file} names ${inRepository()}`).toBe(false);
    }
  });
});

test("the extension holds what is on its list, and nothing else", async () => {
  const archive = await readFile(inRepository("dist", "ide-companion.vsix"));
  expect(await compareWithList(extension, namesInZip(archive))).toEqual({ unlisted: [], missing: [] });
});

// In a fresh clone the set-up of `npm test` installs it.
test("npm ci finds a lock that fits, with what a fresh clone needs", async () => {
  const folder = privateFolder();
  const { stdout } = await promisify(execFile)("git", ["ls-files", "-z", "--", ...manifests], {
    cwd: inRepository(),
  });
  for (const file of stdout.split("\0").filter((path) => path !== "")) {
    await cp(inRepository(file), join(folder, file), { recursive: true });
  }
  const [program, ...first] = npm();
  const args = [...first, "ci", "--dry-run", "--ignore-scripts", "--offline", "--loglevel=error"];
  const { stdout: plan } = await promisify(execFile)(program, args, { cwd: folder });
  for (const name of ["@biomejs/biome", "typescript"]) expect(plan).toContain(`add ${name} `);
});

test("lock files name no registry, and npm writes none into them", async () => {
  const { stdout } = await promisify(execFile)("git", ["ls-files", "-z", "--", "*package-lock.json"], {
    cwd: inRepository(),
  });
  const files = stdout.split("\0").filter((path) => path !== "");
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    expect(await readFile(inRepository(file), "utf8"), file).not.toMatch(/"resolved": "\w+:\/\//);
    const settings = await readFile(inRepository(dirname(file), ".npmrc"), "utf8");
    expect(settings.split("\n"), file).toContain("omit-lockfile-registry-resolved=true");
  }
});

test("every direct dependency has its reason in a decision", async () => {
  expect(await dependenciesWithoutReason()).toEqual([]);
});

test("the extension's README has the pictures of the same version at a release, and none before", async () => {
  const readme = await readFile(inRepository("packages", "vscode", "README.md"), "utf8");
  const pictures = await readdir(inRepository("docs", "pictures", "vscode"));
  const url = "https://forge.example/someone/ide-companion/raw/v1.2.3/docs/pictures/vscode";
  const shown = [...packedReadme(readme, url).matchAll(/!\[.+?\]\((.*?)\)/g)].map(([, picture]) => picture);
  expect(shown).toHaveLength(2);
  expect(pictures.map((name) => `${url}/${name}`)).toEqual(expect.arrayContaining(shown));
  expect(packedReadme(readme, undefined)).not.toMatch(/!\[|\n{3}/);
  const workflow = await readFile(inRepository(".github", "workflows", "release.yml"), "utf8");
  expect(workflow).toContain(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as the workflow's language has it
    "PICTURES_URL: ${{ github.server_url }}/${{ github.repository }}/raw/${{ github.ref_name }}/docs/pictures/vscode",
  );
});

test("the dependencies are as many as docs/inside/release.md says", async () => {
  const page = await readFile(inRepository("docs", "inside", "release.md"), "utf8");
  expect(page).toContain(
    `| direct dependencies | ${await countDependencies("packages/companion")}, for users`,
  );
  expect(page).toContain("for users of the library | none |");
  expect(await countDependencies("packages/vscode")).toBe(0);
  expect(await countDependencies("packages/conformance")).toBe(0);
});

test("everything that users get with us has a licence that lets us ship it", async () => {
  expect(await licencesWeCannotShip()).toEqual([]);
});

test("a tag that is another version than a package is refused", async () => {
  const { version } = JSON.parse(await readFile(inRepository("packages/companion/package.json"), "utf8"));
  expect(await versionFaults(`v${version}`)).toEqual([]);
  expect(await versionFaults("v0.0.0-other")).toHaveLength(4);
});

test("a release stops before it publishes when a package does not name the repository", async () => {
  const { version } = JSON.parse(await readFile(inRepository("packages/companion/package.json"), "utf8"));
  expect(await versionFaults(`v${version}`, "someone/other")).toEqual([
    "ide-companion must name the repository someone/other, or npm refuses its provenance",
    "ide-companion-conformance must name the repository someone/other, or npm refuses its provenance",
  ]);
});
