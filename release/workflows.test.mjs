import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { inRepository } from "../scripts/repository.mjs";
import { published } from "./published.mjs";
import { readWorkflows } from "./workflow.mjs";

let workflows;
beforeAll(async () => {
  workflows = await readWorkflows();
}, 60_000);

const readJson = async (...names) => JSON.parse(await readFile(inRepository(...names), "utf8"));
const jobs = () => [...workflows.values()].flatMap((workflow) => Object.values(workflow.jobs));
const runs = (job) => job.steps.flatMap(({ run }) => run ?? []);

/** The Nodes on which a job runs. @returns {readonly number[]} their lines */
function nodesOf({ container, strategy, steps }) {
  if (container !== undefined) return [Number(/^node:(\d+)-/.exec(container.image)?.[1])];
  const setUp = steps.find(({ uses }) => uses?.startsWith("actions/setup-node@"));
  const version = setUp?.with["node-version"];
  return typeof version === "number" ? [version] : strategy.matrix.node;
}

/** What we need of a command that a workflow runs, and do not have. */
async function missingOf(command) {
  const { scripts, workspaces } = await readJson("package.json");
  expect(workspaces).toEqual(["packages/*"]);
  const [, script] = /^npm (?:run )?(test|(?<=run )[\w:-]+)/.exec(command) ?? [];
  if (script !== undefined && scripts[script] === undefined) return `no script ${script}`;
  const [, project] = /--project (\w+)/.exec(command) ?? [];
  const config = await readFile(inRepository("vitest.config.ts"), "utf8");
  if (project !== undefined && !config.includes(`name: "${project}"`)) return `no project ${project}`;
  const [, workspace] = /--workspace (\S+)/.exec(command) ?? [];
  if (workspace !== undefined && !published.some(({ name }) => name === workspace)) return `no ${workspace}`;
  for (const [, path] of command.matchAll(/(?:^| )node (\S+\.m?js)/g)) {
    if (!existsSync(inRepository(path))) return `no file ${path}`;
  }
  return undefined;
}

test("each command of a workflow names scripts, files and projects that are there", async () => {
  const commands = jobs().flatMap(runs);
  expect(commands.length).toBeGreaterThan(15);
  const missing = await Promise.all(commands.map(missingOf));
  expect(missing.filter((one) => one !== undefined)).toEqual([]);
  expect(await missingOf("npm run no-such-script")).toBe("no script no-such-script");
  expect(await missingOf("node release/no-such-file.mjs v1")).toBe("no file release/no-such-file.mjs");
});

test("an action is named by its commit, which nobody can move, and by the tag that people know", async () => {
  const uses = [];
  for (const name of workflows.keys()) {
    const text = await readFile(inRepository(".github", "workflows", name), "utf8");
    uses.push(...text.split("\n").filter((line) => line.includes("uses:")));
  }
  expect(uses.length).toBeGreaterThan(4);
  expect(uses.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual(
    [],
  );
});

test("workflows run on Nodes that we support, up to the newest one", async () => {
  const { engines } = await readJson("package.json");
  expect(engines.node).toBe("^20.19.0 || >=22.12.0");
  const nodes = new Set(jobs().flatMap(nodesOf));
  expect([...nodes].filter((node) => !(node >= 22))).toEqual([]);
  const { dependencies } = await readJson("e2e", "nodes", "package.json");
  const newest = Math.max(...Object.keys(dependencies).map((name) => Number(/\d+/.exec(name)?.[0])));
  expect(Math.max(...nodes)).toBe(newest);
});

test("each push runs units and kit on three systems and three Nodes, and everything on Linux", async () => {
  const { units, everything, weekly } = workflows.get("ci.yml").jobs;
  const { os, node } = units.strategy.matrix;
  expect(os.map((name) => name.split("-")[0])).toEqual(["ubuntu", "macos", "windows"]);
  expect(node).toEqual([22, 24, 26]);
  const page = await readFile(inRepository("docs", "reference", "compatibility.md"), "utf8");
  expect(page).toContain(
    `on Linux, macOS and Windows with Node ${node.slice(0, -1).join(", ")} and ${node.at(-1)}`,
  );
  expect(runs(units)).toContain("npx vitest run --project unit --project unit-alone --project process");
  expect(runs(units).at(-1)).toContain("packages/conformance/dist/cli/main.js");
  expect(runs(everything)).toContain("npm test");
  expect(runs(weekly)).toContain("npm run test:matrix");
  const { on } = workflows.get("ci.yml");
  expect(Object.keys(on)).toEqual(["push", "pull_request", "schedule"]);
});

test("a release is published from CI, with provenance, after all tests", () => {
  const { test: tests, publish } = workflows.get("release.yml").jobs;
  expect(runs(tests)).toEqual(expect.arrayContaining(["npm test", "npm run test:matrix"]));
  expect(publish).toMatchObject({ needs: "test", environment: "npm", permissions: { "id-token": "write" } });
  const first = publish.steps.findIndex(({ run }) => run?.startsWith("npm publish"));
  const before = publish.steps.slice(0, first).flatMap(({ run }) => run ?? []);
  for (const check of ["npm audit", "npm audit signatures", "node release/sbom.mjs"]) {
    expect(before).toContain(check);
  }
  expect(before.some((run) => run.startsWith("node release/reproduce.mjs"))).toBe(true);
  const publishing = publish.steps.filter(({ run }) => run?.startsWith("npm publish"));
  expect(publishing.map(({ run }) => /--workspace (\S+)/.exec(run)?.[1])).toEqual(
    published.map(({ name }) => name),
  );
  expect(publishing.filter(({ env }) => env?.NPM_CONFIG_PROVENANCE !== true)).toEqual([]);
  const [manifests, release] = publish.steps.slice(-2).map(({ run }) => run);
  expect(manifests).toContain("npm view");
  expect(release).toContain("dist/manifests/*");
});

test("a key reaches only the step that needs it, in a job that asks a person", () => {
  const withKeys = jobs().filter(({ steps }) => JSON.stringify(steps).includes("secrets."));
  expect(withKeys.map(({ environment, needs }) => ({ environment, needs }))).toEqual([
    { environment: "galleries", needs: "publish" },
  ]);
  for (const job of jobs()) expect(JSON.stringify(job.env ?? {})).not.toContain("secrets.");
  const keys = withKeys[0].steps.flatMap(({ env = {} }) => Object.keys(env));
  expect(keys).toEqual(["GH_TOKEN", "OVSX_PAT", "VSCE_PAT"]);
});
