import { inRepository, isMain, repository } from "./repository.mjs";
import { installCodeServer, installOlderCodeServer } from "./set-up/code-server.mjs";
import { compileAgents } from "./set-up/compiled-agents.mjs";
import { installDebianPackages } from "./set-up/debian-packages.mjs";
import { installNpmPackages } from "./set-up/npm-packages.mjs";
import { installTheia } from "./set-up/theia.mjs";
import { installUnpackedPrograms } from "./set-up/unpacked-programs.mjs";

/** Whether the agent CLIs and editors are driven here. */
const isDriven = process.platform === "linux" && process.arch === "x64";

/** What building and running needs. */
export async function setUpToRun() {
  await installNpmPackages(repository);
}

/**
 * What the tests need beyond that: programs of the system, the agent CLIs and editors.
 * @returns {Promise<string[]>} what could not be had, as sentences; the tests that need it are skipped
 */
export async function setUpToTest() {
  await setUpToRun();
  if (!isDriven) {
    await installApart("release");
    const debian = await installDebianPackages("test");
    const system = `${process.platform} ${process.arch}`;
    return [debian, `the agent CLIs and editors are driven on Linux x64 only, and this is ${system}`].filter(
      isGiven,
    );
  }
  const unpackers = installDebianPackages("unpack");
  // It has the Node that builds and runs code-server.
  const agents = installApart("e2e/agents");
  const [debian, editors, codeServer] = await Promise.all([
    unpackers.then(() => installDebianPackages("test")),
    unpackers.then(() => installUnpackedPrograms("test")),
    installCodeServer(agents),
    agents.then(compileAgents),
    installApart("packages/vscode/packaging", "e2e/codex-cli", "release"),
  ]);
  return [await unpackers, debian, editors, codeServer].filter(isGiven);
}

/** What stands apart from the workspaces. Its install scripts build and fetch what no test needs. */
async function installApart(...folders) {
  for (const folder of folders) {
    await installNpmPackages(inRepository(folder), { options: ["--ignore-scripts"] });
  }
}

const isGiven = (reason) => reason !== undefined;

/**
 * What recording needs beyond that: an agent that no test of a commit starts.
 * @returns {Promise<string[]>} as above
 */
export async function setUpToRecord() {
  const reasons = await setUpToTest();
  if (isDriven) await installApart("e2e/opencode");
  return reasons;
}

/**
 * What the matrix needs beyond that: editors and Node versions that no test of a commit starts.
 * @returns {Promise<string[]>} as above
 */
export async function setUpToTestMatrix() {
  const reasons = await setUpToTest();
  if (isDriven) {
    await installApart("e2e/nodes", "e2e/mcp", "e2e/opencode");
    reasons.push(await installDebianPackages("matrix"), await setUpToRehearse());
    const editors = ["matrix", "versions"].map(installUnpackedPrograms);
    reasons.push(...(await Promise.all([...editors, installTheia(), installOlderCodeServer()])));
  }
  return reasons.filter(isGiven);
}

/**
 * What a rehearsal of a release needs: a registry, package managers, the Node that publishes, and what reads its
 * manifests. Linux x64 only.
 * @returns {Promise<string | undefined>} as above
 */
export async function setUpToRehearse() {
  await installApart("release", "release/rehearsal", "e2e/agents");
  return installDebianPackages("rehearse");
}

/**
 * What the tests on Windows need: two Wines, and Nodes that run in them. Linux x64 only.
 * @returns {Promise<string[]>} as above
 */
export async function setUpToTestWindows() {
  await setUpToRun();
  // The Nodes are of another system, which npm installs by force alone.
  await installNpmPackages(inRepository("e2e", "windows"), { options: ["--ignore-scripts", "--force"] });
  const debian = await installDebianPackages("windows");
  return [debian, await installUnpackedPrograms("windows")].filter(isGiven);
}

if (isMain(import.meta)) {
  for (const reason of await setUpToTest()) console.log(reason);
}
