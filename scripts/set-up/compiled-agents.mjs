import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { attempt } from "../command.mjs";
import { inRepository } from "../repository.mjs";
import { withTemporaryFolder } from "../temporary.mjs";
import { newerNode } from "./newer-node.mjs";

/** What Node has compiled of the agent CLIs: a start of Gemini CLI takes a quarter less of the processor with it. */
export const compiled = inRepository(".cache", "compiled");

/** Each loads the whole CLI and ends; a CLI that is killed, as in tests, writes nothing there. */
const starts = [
  ["@google/gemini-cli/bundle/gemini.js", "--help"],
  ["@qwen-code/qwen-code/cli-entry.js", "--prompt", "hello"],
];

/** Fills the folder, unless it is there: three seconds. */
export async function compileAgents() {
  const how = newerNode();
  if (how === undefined || existsSync(compiled)) return;
  const [packages, quiet] = [inRepository("e2e", "agents", "node_modules"), true];
  await withTemporaryFolder(async (home) => {
    const env = { PATH: how.env.PATH, HOME: home, NODE_COMPILE_CACHE: compiled };
    await mkdir(join(home, ".qwen"));
    // It sends nothing, and ends because it has no account.
    await writeFile(join(home, ".qwen", "settings.json"), '{"privacy":{"usageStatisticsEnabled":false}}');
    await Promise.all(
      starts.map(([script, ...args]) =>
        attempt(how.node, [join(packages, script), ...args], { cwd: home, env, quiet }),
      ),
    );
  });
}
