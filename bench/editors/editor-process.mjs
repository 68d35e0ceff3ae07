import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { createDiscoveryFolder, firstAnnouncement, firstEntry } from "../announcement.mjs";
import { executableIn, runExecutable } from "../bundle.mjs";
import { dataUntil, now, pause } from "../rounds.mjs";
import { killTree, processTree } from "../testkit.mjs";

/** Microseconds of processor time per tenth of a second; with less, an editor counts as idle. */
const idleUse = 100;

/**
 * @typedef {object} StartOptions
 * @property {boolean} withPlugin
 * @property {boolean} [withLibraries]
 * @property {boolean} [showsProposals]
 * @property {number} [hunks] in how many places an agent has written the file without asking; it is marked then
 */

/** A real editor in a pseudo terminal, with a private home. Linux only. */
export class EditorProcess {
  /** When it was started, and when its start was complete; in microseconds. */
  startedAt = 0;
  readyAt = 0;
  /** The announcement of the companion that it starts: port and token. */
  companion;
  /** The file that it has open, and what is in it. */
  file = "";
  text = Array.from({ length: 5000 }, (_, index) => `line ${index + 1} of a file\n`).join("");
  #child;
  #program;
  #printed = "";
  #end = new AbortController();

  /**
   * Resolves when it is ready.
   * @param {import("./index.mjs").BenchEditor} editor
   * @param {StartOptions} options
   * @param {import("../figures/index.mjs").Bench} bench
   */
  static async start(editor, options, bench) {
    const { bundles, sandbox } = bench;
    const { withPlugin, withLibraries = false, showsProposals = false, hunks = 0 } = options;
    const { env: temporary, folder } = await createDiscoveryFolder(sandbox);
    const home = await mkdtemp(join(sandbox.folder, "home-"));
    const file = join(sandbox.workspace, hunks > 0 ? "marked.txt" : "moves.txt");
    const ready = join(home, "ready", "now");
    await mkdir(dirname(ready));
    const start = { home, file, ready, withPlugin, withLibraries, showsProposals };
    const { args, env } = await editor.prepare(start);
    const path = await pathWithCommand(home, bundles);
    const started = new EditorProcess();
    started.file = file;
    if (hunks > 0) await record(started, hunks, { ...bench, env: { ...sandbox.env, HOME: home } });
    else await writeFile(file, started.text);
    started.#program = editor.program;
    if (withPlugin) started.companion = firstAnnouncement(folder, started.#end.signal);
    started.companion?.catch(() => {}); // not every figure waits for it
    const isReady = firstEntry(dirname(ready), () => now());
    started.#spawn([editor.program, ...args], sandbox.workspace, {
      ...sandbox.env,
      ...temporary,
      HOME: home,
      PATH: path,
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      ...env,
    });
    try {
      started.readyAt = await Promise.race([isReady, started.#failed()]);
      if (hunks > 0) await started.printed(before);
      return started;
    } catch (error) {
      await started.close();
      throw error;
    }
  }

  /** @returns when, in microseconds */
  type(keys) {
    const typedAt = now();
    this.#child.stdin.write(keys);
    return typedAt;
  }

  /** Resolves when this is printed from now on. */
  printed(wanted) {
    this.#printed = "";
    return dataUntil(
      this.#child.stdout,
      () => this.#printed.includes(wanted),
      () => `${wanted} was not printed, but ${this.#printed},`,
    );
  }

  /** Microseconds of processor time, without that of the companion. */
  async processorTime() {
    const program = await realpath(this.#program);
    let nanoseconds = 0;
    for (const pid of await processTree(this.#child.pid)) {
      const executable = await realpath(`/proc/${pid}/exe`).catch(() => ""); // it has just ended
      if (executable !== program) continue;
      nanoseconds += Number((await readFile(`/proc/${pid}/schedstat`, "utf8")).split(" ")[0]);
    }
    return nanoseconds / 1000;
  }

  /** Resolves when it has processed all keys. */
  async idle() {
    let before = -1;
    for (let used = await this.processorTime(); used - before > idleUse; used = await this.processorTime()) {
      before = used;
      await pause(100);
    }
  }

  /** Idempotent. */
  async close() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#end.abort();
    const exit = once(this.#child, "exit");
    await killTree(this.#child.pid);
    await exit;
  }

  #spawn(command, cwd, env) {
    const line = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    this.startedAt = now();
    this.#child = spawn("script", ["-qfec", `stty cols 140 rows 50; exec ${line}`, "/dev/null"], {
      cwd,
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    // The pseudo terminal goes with it, and the editor with that.
    const kill = () => this.#child.kill("SIGKILL");
    process.once("exit", kill);
    this.#child.once("exit", () => process.off("exit", kill));
    this.#child.stdout.setEncoding("utf8").on("data", (chunk) => {
      this.#printed += chunk;
    });
  }

  async #failed() {
    await once(this.#child, "exit");
    throw new Error(`${this.#program} has ended:\n${this.#printed}`);
  }
}

/** What every line was that an agent has written. */
const before = "AnotherLineBefore";

/** Lets an agent write the file of an editor in some places, far from each other. */
async function record({ file, text }, hunks, bench) {
  const lines = text.split("\n");
  const gap = Math.floor(lines.length / hunks);
  const call = { session_id: "bench", cwd: bench.sandbox.workspace };
  const tool = { tool_name: "write_file", tool_input: { file_path: file } };
  const hook = (hook_event_name) =>
    runExecutable(bench, ["hook", "gemini"], { ...call, ...tool, hook_event_name });
  await writeFile(file, lines.map((line, index) => (index % gap === gap >> 1 ? before : line)).join("\n"));
  await hook("BeforeTool");
  await writeFile(file, text);
  await hook("AfterTool");
}

/** A PATH that has our command, as after an installation. */
async function pathWithCommand(home, bundles) {
  const bin = join(home, "bin");
  await mkdir(bin);
  await chmod(executableIn(bundles), 0o755);
  await symlink(executableIn(bundles), join(bin, "ide-companion"));
  return [bin, dirname(process.execPath), process.env.PATH].join(delimiter);
}
