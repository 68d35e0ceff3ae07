import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { CopilotClient } from "../packages/testkit/src/fake-cli/copilot-cli.ts";
import { startSeedCompanion } from "../packages/testkit/src/fake-companion.ts";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { poll } from "../packages/testkit/src/waiting.ts";
import { type AgentKind, startConnected } from "./harness/agent-cli.ts";
import { answerFor, askCodex, enableIde, promptCodex, startCodex } from "./harness/codex.ts";
import { startCompanion } from "./harness/companion.ts";
import { discoveryFiles } from "./harness/discovery-files.ts";
import { otherMachine, startForward } from "./harness/forward.ts";
import { gemini } from "./harness/gemini.ts";
import { codex as codexProgram, companionScript } from "./harness/installed.ts";
import { qwen } from "./harness/qwen.ts";
import { openReviewPage } from "./harness/review-page.ts";
import { scenario } from "./harness/scenario.ts";
import { sshd, startSshd } from "./harness/sshd.ts";
import { startTerminal } from "./harness/terminal.ts";

const needs = { sshd };

const filesGone = (there: Sandbox) =>
  poll("end of the files there", async () => (await discoveryFiles(there)).length === 0);

for (const kind of [gemini, qwen]) {
  scenario(
    `${kind.displayName} on another machine has its changes reviewed here, in other folders, over ssh`,
    async (sandbox) => {
      const there = await otherMachine(sandbox);
      await sandbox.write("poem.txt", "roses\nviolets\n");
      const path = await there.write("poem.txt", "roses\nviolets\n");
      const companion = await startCompanion(sandbox);
      const page = await openReviewPage(sandbox, companion.link);
      const { terminal } = await startForward(sandbox, there);
      expect((await discoveryFiles(there)).length).toBeGreaterThan(0);
      const cli = await startConnected(there, kind);
      await page.openFile("poem.txt");
      await page.select("violets");
      await page.contextHolds("violets");

      await cli.proposeWrite(path, "roses\ntulips\n");
      const proposal = await page.proposal("poem.txt");
      await proposal.edit("tulips", "lilies");
      await proposal.accept();
      await cli.finished();
      expect(String(await there.read("poem.txt"))).toBe("roses\nlilies\n");
      expect(String(await sandbox.read("poem.txt"))).toBe("roses\nviolets\n");
      const [request] = cli.model.requests;
      expect(request?.text).toContain(reportedName(kind, there));
      expect(request?.text).toContain("violets");
      expect(request?.text).not.toContain(sandbox.workspace);

      await terminal.press("C-c");
      expect(await terminal.exited()).toBe(130);
      await filesGone(there);
    },
    { needs, matrix: kind === qwen },
  );
}

/** How the CLI names the file to its model. */
const reportedName = ({ name }: AgentKind, there: Sandbox) =>
  name === "gemini" ? there.path("poem.txt") : "poem.txt";

scenario(
  "a connection that breaks is made again, and a CLI there finds the editor again by /ide enable",
  async (sandbox) => {
    const there = await otherMachine(sandbox);
    const companion = await startCompanion(sandbox);
    const { server, terminal } = await startForward(sandbox, there);
    const cli = await startConnected(there, gemini);
    await server.cut();
    await terminal.waitFor("The connection to 127.0.0.1 has ended. Trying again in 1 s.");
    const isBack = (screen: string) => screen.split("is reviewed in Review page here").length === 3;
    const look = async () => isBack(await terminal.screen());
    await poll("second connection", look, { describe: terminal.screen });
    await cli.reconnected();
    await cli.proposeWrite(there.path("new.txt"), "new\n");
    await companion.says(/proposes .*new\.txt/);
    await terminal.press("C-c");
    expect(await terminal.exited()).toBe(130);
    await filesGone(there);
  },
  { needs },
);

scenario(
  "a CLI that finds its editor by a lock file and a socket is served on another machine, after a break and by the next companion",
  async (sandbox) => {
    const there = await otherMachine(sandbox);
    await sandbox.write("poem.txt", "roses\n");
    const companion = await startCompanion(sandbox);
    const page = await openReviewPage(sandbox, companion.link);
    const { server, terminal } = await startForward(sandbox, there);
    const folder = join(there.home, ".copilot", "ide");
    const lockOtherThan = (former?: string) =>
      poll("lock file", async () => {
        const [name] = (await readdir(folder).catch(() => [])).filter((each) => each.endsWith(".lock"));
        // The lock of the last companion may go between the two.
        const text = name && (await readFile(join(folder, name), "utf8").catch(() => undefined));
        const lock = text && JSON.parse(text);
        return lock && lock.pid !== former ? lock : undefined;
      });
    const first = await lockOtherThan();
    expect(first.workspaceFolders).toEqual([there.workspace]);
    const cli = await CopilotClient.connect(first);
    const answer = cli.openDiff(there.path("poem.txt"), "violets\n");
    await (await page.proposal("poem.txt")).accept();
    expect(await answer).toMatchObject({ result: "SAVED" });

    await server.cut();
    await terminal.waitFor("The connection to 127.0.0.1 has ended. Trying again in 1 s.");
    const again = await CopilotClient.connect(await lockOtherThan(first.pid));
    await page.openFile("poem.txt");
    await page.select("roses");
    const selected = () =>
      again.sent("selection_changed").some((each) => JSON.stringify(each).includes("roses"));
    await poll("selection", selected);
    expect(again.sent("selection_changed").at(-1)).toMatchObject({ filePath: there.path("poem.txt") });

    await companion.stop();
    await poll("end of the lock", async () => (await readdir(folder)).length === 0);
    const next = await openReviewPage(sandbox, (await startCompanion(sandbox)).link);
    const last = await CopilotClient.connect(await lockOtherThan());
    const second = last.openDiff(there.path("poem.txt"), "tulips\n");
    await (await next.proposal("poem.txt")).accept();
    expect(await second).toMatchObject({ result: "SAVED" });

    await terminal.press("C-c");
    expect(await terminal.exited()).toBe(130);
    await poll("end of the lock", async () => (await readdir(folder)).length === 0);
    const left = async () => (await readdir(there.tmp)).filter((name) => name.startsWith("ide-companion"));
    await poll("end of the socket", async () => (await left()).length === 0);
    const here = (await readdir(sandbox.tmp)).filter((name) => name.startsWith("ide-companion-ssh"));
    expect(here).toEqual([]);
  },
  { needs },
);

scenario(
  "Codex CLI on another machine has, after /ide, the selection of the page here, after a break and of the next companion",
  async (sandbox) => {
    const there = await otherMachine(sandbox);
    for (const each of [sandbox, there]) await each.write("poem.txt", "roses\nviolets\n");
    const companion = await startCompanion(sandbox);
    const page = await openReviewPage(sandbox, companion.link);
    const { server, terminal } = await startForward(sandbox, there);
    const cli = await startCodex(there);
    await page.openFile("poem.txt");
    await page.select("violets");
    await enableIde(cli);
    const text = await askCodex(cli, "Describe what you see");
    expect(text).toContain("## Active file: poem.txt");
    expect(text).toContain("## Active selection of the file:\nviolets\n");
    expect(text).not.toContain(sandbox.workspace);

    await server.cut();
    await terminal.waitFor("The connection to 127.0.0.1 has ended. Trying again in 1 s.");
    await page.select("roses");
    await answerFor(there, there.workspace, "roses");
    expect(await promptCodex(cli, "After the break")).toContain("selection of the file:\nroses\n");

    await companion.stop();
    await terminal.waitFor("The companion has ended. Waiting for the next one");
    const next = await openReviewPage(sandbox, (await startCompanion(sandbox)).link);
    await next.openFile("poem.txt");
    await next.select("violets");
    await answerFor(there, there.workspace, "violets");
    expect(await promptCodex(cli, "With the next one")).toContain("selection of the file:\nviolets\n");
    await terminal.press("C-c");
    expect(await terminal.exited()).toBe(130);
    const folder = join(there.home, ".codex", "ipc");
    await poll("end of the socket", async () => (await readdir(folder)).length === 0);
  },
  { needs: { ...needs, "Codex CLI": codexProgram } },
);

scenario(
  "ssh asks its questions in the terminal, and does not fail for what the user has set for the machine",
  async (sandbox) => {
    const there = await otherMachine(sandbox);
    await startCompanion(sandbox);
    const server = await startSshd(sandbox, there);
    const bin = join(sandbox.home, "bin");
    await mkdir(bin);
    const config = join(bin, "config");
    // The port is taken: by another connection of the user's, as a rule.
    const [port = ""] = server.options.flatMap((option) => /^Port=(\d+)$/.exec(option)?.[1] ?? []);
    await writeFile(config, `Host *\nRemoteCommand exit\nRemoteForward 127.0.0.1:${port} 127.0.0.1:9\n`);
    // It looks for its configuration in the home that the system knows.
    const ssh = `#!/bin/sh\nPATH=\${PATH#*:} exec ssh -F '${config}' "$@"\n`;
    await writeFile(join(bin, "ssh"), ssh, { mode: 0o755 });
    const options = ["StrictHostKeyChecking=ask", ...server.options].flatMap((option) => ["-o", option]);
    const command = [process.execPath, companionScript, "forward", ...options, server.host, there.workspace];
    const env = { PATH: `${bin}:${sandbox.env.PATH}` };
    const terminal = await startTerminal(sandbox, { command, env });
    await terminal.waitFor("Are you sure you want to continue connecting");
    await terminal.type("yes");
    await terminal.press("Enter");
    await terminal.waitFor("is reviewed in Review page here");
    await terminal.press("C-c");
    expect(await terminal.exited()).toBe(130);
    await filesGone(there);
  },
  { needs },
);

scenario(
  "a machine that is away is asked less and less often",
  async (sandbox) => {
    const there = await otherMachine(sandbox);
    await startCompanion(sandbox);
    const { server, terminal } = await startForward(sandbox, there);
    await server.close();
    await terminal.waitFor("Trying again in 1 s.");
    await terminal.waitFor("ssh has not got through to 127.0.0.1. Trying again in 2 s.");
    await terminal.waitFor("ssh has not got through to 127.0.0.1. Trying again in 4 s.");
    await terminal.press("C-c");
    expect(await terminal.exited()).toBe(130);
  },
  { needs },
);

scenario(
  "folders that are opened here later are shared as well, where they lie there",
  async (sandbox) => {
    const there = await otherMachine(sandbox);
    const library = join(sandbox.home, "library");
    for (const folder of [library, join(there.home, "library")]) await mkdir(folder);
    const seed = sandbox.own(
      await startSeedCompanion({ tmp: sandbox.tmp, workspacePath: sandbox.workspace }),
    );
    const { terminal } = await startForward(sandbox, there, "Seed");
    const content = JSON.parse(await readFile(seed.file, "utf8"));
    const open = async (...folders: readonly string[]) => {
      const workspacePath = folders.join(":");
      await writeFile(`${seed.file}.new`, JSON.stringify({ ...content, workspacePath }), { mode: 0o600 });
      await rename(`${seed.file}.new`, seed.file);
    };
    const reported = async () => {
      const [file] = await discoveryFiles(there);
      return file && String(JSON.parse(await readFile(file, "utf8")).workspacePath);
    };
    const tells = (folders: string) =>
      poll(folders, async () => (await reported()) === folders, {
        describe: terminal.screen,
      });
    await tells(there.workspace);
    await open(sandbox.workspace, library);
    await tells(`${there.workspace}:${there.home}/library`);
    await terminal.waitFor(`127.0.0.1:${there.home}/library`);

    await open(sandbox.workspace, library, join(sandbox.home, "elsewhere"));
    await terminal.waitFor(`One folder is not shared: there is no folder ${there.home}/elsewhere`);
    await open(library);
    await tells(`${there.home}/library`);
    await terminal.press("C-c");
    expect(await terminal.exited()).toBe(130);
    await filesGone(there);
  },
  { needs },
);

scenario(
  "when the companion ends, its files there go, and the next companion of the folder is shared",
  async (sandbox) => {
    const there = await otherMachine(sandbox);
    const companion = await startCompanion(sandbox);
    const { terminal } = await startForward(sandbox, there);
    await companion.kill();
    await terminal.waitFor("The companion has ended. Waiting for the next one in");
    await filesGone(there);
    await startCompanion(sandbox);
    await poll("files of the next companion", async () => (await discoveryFiles(there)).length > 0, {
      describe: terminal.screen,
    });
    await terminal.press("C-c");
    expect(await terminal.exited()).toBe(130);
    await filesGone(there);
    const here = (await readdir(sandbox.tmp)).filter((name) => name.startsWith("ide-companion-ssh"));
    expect(here).toEqual([]);
  },
  { needs },
);
