import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { attempt, command } from "../../scripts/command.mjs";
import { inRepository } from "../../scripts/repository.mjs";
import { newerNode } from "../../scripts/set-up/newer-node.mjs";
import { npm } from "../../scripts/set-up/npm-packages.mjs";
import { readWorkflows } from "../workflow.mjs";
import { startRegistry } from "./registry.mjs";

/** A job of release.yml, and what it publishes to: a registry on 127.0.0.1. All its files lie in one folder. */
export class Rehearsal {
  #root;
  #registry;
  /** What the jobs would publish. */
  version;
  /** A clone of the last commit, as the workflow checks it out. */
  clone;

  /**
   * @returns {Promise<Rehearsal>}
   * @throws {Error} when the Node of the release is not installed
   */
  static async start() {
    const rehearsal = new Rehearsal();
    const newer = newerNode();
    if (newer === undefined)
      throw new Error("The release needs a newer Node: run `npm run test:matrix` once");
    rehearsal.#root = await realpath(await mkdtemp(join(tmpdir(), "rehearsal-")));
    try {
      await rehearsal.#prepare(newer.node);
    } catch (error) {
      await rehearsal.close();
      throw error;
    }
    return rehearsal;
  }

  async #prepare(node) {
    this.clone = join(this.#root, "home", "ide-companion");
    await mkdir(join(this.#root, "tmp"), { recursive: true });
    await command("git", ["clone", "--quiet", "--no-hardlinks", inRepository(), this.clone]);
    const manifest = await readFile(join(this.clone, "packages", "companion", "package.json"), "utf8");
    this.version = JSON.parse(manifest).version;
    // Node of the release first, then what the machine has.
    const programs = [dirname(node), dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"];
    this.env = {
      HOME: join(this.#root, "home"),
      TMPDIR: join(this.#root, "tmp"),
      PATH: programs.join(delimiter),
      CI: "true",
      npm_config_update_notifier: "false",
      ...networkVariables(),
    };
    const behind = await npmConfig("registry");
    const folder = join(this.#root, "registry");
    this.#registry = await startRegistry(folder, { node, env: this.env, behind });
  }

  /**
   * Runs the commands of a job in the clone, in their order, as the workflow's server does.
   * @param {string} name of a job in release.yml
   * @param {(line: string) => void} log gets a line for each command
   * @throws {Error} at the first command that fails, with its output
   */
  async runJob(name, log) {
    const job = (await readWorkflows()).get("release.yml")?.jobs[name];
    if (job === undefined) throw new Error(`release.yml has no job ${name}`);
    const cache = await npmConfig("cache");
    for (const step of job.steps.filter(({ run }) => run !== undefined)) {
      const reason = whyNotHere(step);
      if (reason !== undefined) {
        log(`not run, ${reason}: ${step.run}`);
        continue;
      }
      const env = { ...this.env, npm_config_cache: cache, GITHUB_REF_NAME: `v${this.version}` };
      Object.assign(env, this.#evaluate({ ...job.env, ...step.env }));
      if (/\bnpm (publish|view) /.test(step.run)) Object.assign(env, this.#publishing());
      const options = step.shell === "bash" ? ["-eo", "pipefail"] : ["-e"];
      await command("bash", [...options, "-c", step.run], { cwd: this.clone, env, quiet: true });
      log(`ran: ${step.run}`);
    }
  }

  /** The variables of a job or step; only expressions of the workflow's context are known. */
  #evaluate(variables) {
    const known = {
      "github.server_url": "https://forge.example",
      "github.repository": "someone/ide-companion",
      "github.ref_name": `v${this.version}`,
    };
    const evaluate = (text) =>
      text.replaceAll(/\$\{\{ ([\w.]+) \}\}/g, (_, name) => {
        if (known[name] === undefined) throw new Error(`a rehearsal does not know ${name}`);
        return known[name];
      });
    return Object.fromEntries(
      Object.entries(variables).map(([key, value]) => [key, evaluate(String(value))]),
    );
  }

  /** Of a user of our registry; its packages have no provenance, which only a workflow's server can state. */
  #publishing() {
    const { host } = new URL(this.#registry.url);
    return {
      ...this.#asUser(),
      [`npm_config_//${host}/:_authToken`]: "anybody",
      NPM_CONFIG_PROVENANCE: "false",
    };
  }

  #asUser() {
    return { npm_config_registry: this.#registry.url, npm_config_cache: join(this.#root, "npm-cache") };
  }

  /**
   * Installs with a package manager.
   * @param {import("./managers.mjs").Manager} manager
   * @returns {Promise<{ folder: string, env: NodeJS.ProcessEnv }>} where and how to start what is installed
   */
  async install(manager) {
    const folder = join(this.#root, "users", manager.name);
    await mkdir(folder, { recursive: true });
    // As the package managers ask of their users.
    const PATH = [join(folder, "bin"), this.env.PATH].join(delimiter);
    const env = { ...this.env, PATH, ...this.#asUser(), ...manager.env(folder, this.#registry.url) };
    for (const [program, ...args] of manager.install) {
      await command(program, args, { cwd: folder, env, quiet: true });
    }
    return { folder, env };
  }

  get registryUrl() {
    return this.#registry.url;
  }

  /** The environment of a user who has our registry, and installs into the home with npm. */
  get user() {
    const prefix = join(this.env.HOME, "prefix");
    const PATH = [join(prefix, "bin"), this.env.PATH].join(delimiter);
    return { ...this.env, ...this.#asUser(), PATH, npm_config_prefix: prefix };
  }

  async close() {
    await this.#registry?.close();
    await rm(this.#root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** @returns {string | undefined} why a step cannot run on any machine but the workflow's server */
function whyNotHere({ run, env = {} }) {
  if (Object.values(env).some((value) => /secrets\.|github\.token/.test(String(value)))) return "needs a key";
  if (run.startsWith("npm audit")) return "needs a network";
  return undefined;
}

/** How this machine reaches registries. */
function networkVariables() {
  const names = /^(NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)));
}

async function npmConfig(key) {
  const [program, ...first] = npm();
  const { output } = await attempt(program, [...first, "config", "get", key, "--loglevel=error"], {
    quiet: true,
  });
  return output.trim();
}
