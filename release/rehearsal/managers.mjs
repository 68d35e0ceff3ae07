import { join } from "node:path";

const packages = ["ide-companion", "ide-companion-conformance"];
const installed = (...names) => join(import.meta.dirname, "node_modules", ...names);
const yarn = installed("@yarnpkg", "cli-dist", "bin", "yarn.js");

/**
 * One way in which users install our packages.
 * @typedef {object} Manager
 * @property {string} name
 * @property {(folder: string, registry: string) => Record<string, string>} env what it reads; `folder` is an empty
 *   one, in which it is run
 * @property {readonly (readonly string[])[]} install command lines; none when a run installs
 * @property {(folder: string, program: string) => readonly string[]} run a command line that starts an installed
 *   program of ours
 */

/** @type {readonly Manager[]} */
export const managers = [
  {
    name: "npm",
    env: (folder) => ({ npm_config_prefix: join(folder, "prefix") }),
    install: [["npm", "install", "--global", ...packages]],
    run: (folder, program) => [join(folder, "prefix", "bin", program)],
  },
  {
    name: "npx",
    env: () => ({}),
    install: [],
    run: (_, program) => ["npx", "--yes", program],
  },
  {
    name: "pnpm",
    env: (folder, registry) => ({ PNPM_HOME: folder, pnpm_config_registry: registry }),
    install: [[installed("@pnpm", "exe.linux-x64", "pnpm"), "add", "--global", ...packages]],
    run: (folder, program) => [join(folder, "bin", program)],
  },
  {
    name: "Yarn",
    env: (_, registry) => ({
      YARN_NPM_REGISTRY_SERVER: registry,
      YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
      // It refuses what was published within a day.
      YARN_NPM_MINIMAL_AGE_GATE: "0",
      YARN_ENABLE_TELEMETRY: "0",
    }),
    install: [
      ["node", yarn, "init", "--yes"],
      ["node", yarn, "add", ...packages],
    ],
    run: (_, program) => ["node", yarn, "run", program],
  },
  {
    name: "Bun",
    env: (folder) => ({ BUN_INSTALL: folder }),
    install: [[installed("@oven", "bun-linux-x64", "bin", "bun"), "add", "--global", ...packages]],
    run: (folder, program) => [join(folder, "bin", program)],
  },
];
