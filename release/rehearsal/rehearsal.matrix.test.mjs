import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { codeServerScript } from "../../e2e/harness/installed.ts";
import { attempt } from "../../scripts/command.mjs";
import { setUpToRehearse } from "../../scripts/setup.mjs";
import { installLines } from "../install-lines.mjs";
import { published } from "../published.mjs";
import { readWorkflows } from "../workflow.mjs";
import { loadPage, useInstalled } from "./installed-programs.mjs";
import { managers } from "./managers.mjs";
import { Rehearsal } from "./rehearsal.mjs";

/** Milliseconds, on a busy machine. */
const within = { jobs: 1_800_000, install: 300_000 };

const lines = await installLines();

describe.skipIf(process.platform !== "linux" || process.arch !== "x64")("a rehearsed release", () => {
  const log = [];
  let rehearsal;
  beforeAll(async () => {
    await setUpToRehearse();
    rehearsal = await Rehearsal.start();
    await rehearsal.runJob("publish", (line) => log.push(line));
    await rehearsal.runJob("extension", (line) => log.push(line));
  }, within.jobs);
  afterAll(() => rehearsal?.close(), within.install);

  test("runs every command of the jobs that publish, but for those that need a network or a key", () => {
    expect(log.filter((line) => !line.startsWith("ran: "))).toEqual([
      "not run, needs a network: npm audit",
      "not run, needs a network: npm audit signatures",
      expect.stringMatching(/^not run, needs a key: gh release create /),
      expect.stringMatching(/^not run, needs a key: gh release download /),
      expect.stringMatching(/^not run, needs a key: .*\/ovsx publish /),
      expect.stringMatching(/^not run, needs a key: .*\/vsce publish /),
    ]);
    expect(log.filter((line) => line.startsWith("ran: npm publish "))).toHaveLength(published.length);
  });

  test.each(managers)(
    "installs with $name",
    async (manager) => {
      const { version, kit, page } = await useInstalled(rehearsal, manager);
      expect(version).toBe(rehearsal.version);
      expect(kit).toContain("Checks which rules");
      expect(page).toContain("<script");
    },
    within.install,
  );

  test("the manifests have the address and the digest of what the registry serves", async () => {
    const { dist } = await (await fetch(new URL("ide-companion/latest", rehearsal.registryUrl))).json();
    const tarball = Buffer.from(await (await fetch(dist.tarball)).arrayBuffer());
    const path = join(rehearsal.clone, "dist", "manifests", "ide-companion.json");
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({
      url: dist.tarball,
      hash: createHash("sha256").update(tarball).digest("hex"),
    });
  });

  test(
    "Open VSX receives the extension as it was packaged",
    async () => {
      const received = [];
      const gallery = createServer(async (request, response) => {
        const body = await buffer(request);
        if (request.method === "POST") received.push({ url: request.url, body });
        const answer = {
          namespace: "ide-companion",
          name: "ide-companion-vscode",
          version: rehearsal.version,
        };
        response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
      }).listen(0, "127.0.0.1");
      await once(gallery, "listening");
      onTestFinished(() => gallery.close());
      const { steps } = (await readWorkflows()).get("release.yml").jobs.extension;
      const { run } = steps.find((step) => step.run?.includes("ovsx publish"));
      const OVSX_REGISTRY_URL = `http://127.0.0.1:${gallery.address().port}`;
      await runLine(rehearsal, run, { OVSX_PAT: "anybody", OVSX_REGISTRY_URL });
      const body = await readFile(join(rehearsal.clone, "dist", "ide-companion.vsix"));
      expect(received).toEqual([{ url: "/api/-/publish?token=anybody", body }]);
    },
    within.install,
  );

  test.each(lines)(
    "$file: $line",
    async ({ line }) => {
      const { run } = ways.find(({ pattern }) => pattern.test(line)) ?? {};
      expect(run, "nobody has said how to run it").toBeDefined();
      await run(rehearsal, line);
    },
    within.install,
  );
});

/** How lines are run, by what they look like: the first that fits. What needs an editor or an agent ends at its help. */
const ways = [
  { pattern: /^npm (--prefix ~\/ide-companion )?start$/, run: opensPage(" -- --no-open") },
  { pattern: /^npx ide-companion$/, run: opensPage(" --no-open") },
  { pattern: /^npm install --global \S+$/, run: installs("ide-companion --version") },
  { pattern: /^npx ide-companion --help$/, run: (rehearsal, line) => runLine(rehearsal, line) },
  { pattern: /^npx ide-companion run /, run: printsHelp("npx ide-companion run") },
  { pattern: /^npx ide-companion-conformance\b/, run: printsHelp("npx ide-companion-conformance") },
  {
    pattern: /^code --install-extension \S+\.vsix$/,
    async run(rehearsal, line) {
      // VS Code as a server, which has the same options.
      const folder = join(rehearsal.user.HOME, "prefix", "bin");
      await mkdir(folder, { recursive: true });
      // Without an address, no gallery is asked for anything.
      const gallery = `EXTENSIONS_GALLERY='{"serviceUrl":"","itemUrl":""}'`;
      const script = `#!/bin/sh\n${gallery} exec node "${codeServerScript}" "$@"\n`;
      await writeFile(join(folder, "code"), script, { mode: 0o755 });
      expect(await runLine(rehearsal, `${line} && code --list-extensions`)).toContain(
        "ide-companion.ide-companion-vscode",
      );
    },
  },
];

function opensPage(options) {
  return async (rehearsal, line) => {
    const { HOME } = rehearsal.user;
    // Those that name no folder are typed in a clone of the repository.
    const cwd = line === "npm start" ? rehearsal.clone : await project(HOME);
    const start = ["bash", "-c", `${line}${options}`];
    expect(await loadPage(start, { cwd, env: rehearsal.user })).toContain("<script");
  };
}

function installs(check) {
  return async (rehearsal, line) => {
    expect(await runLine(rehearsal, `${line} && ${check}`)).toContain(rehearsal.version);
  };
}

function printsHelp(command) {
  return async (rehearsal, line) => {
    expect(line.startsWith(command)).toBe(true);
    expect(await runLine(rehearsal, `${command} --help`)).toMatch(/--[a-z]/);
  };
}

/** @returns {Promise<string>} what a line has printed, typed where its paths lead somewhere */
async function runLine({ clone, user }, line, variables = {}) {
  const env = { ...user, ...variables };
  const cwd = /(^| )(\.\/packages|dist|release)\//.test(line) ? clone : await project(user.HOME);
  const { code, output } = await attempt("bash", ["-ec", line], { cwd, env, quiet: true });
  expect({ code, output }).toEqual({ code: 0, output: expect.any(String) });
  return output;
}

async function project(home) {
  const folder = join(home, "projects", "shop");
  await mkdir(folder, { recursive: true });
  return folder;
}
