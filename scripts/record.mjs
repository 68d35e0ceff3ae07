import "./node-version.mjs";
import { buildBundles } from "./build.mjs";
import { command } from "./command.mjs";
import { inRepository, repository } from "./repository.mjs";
import { setUpToRecord } from "./setup.mjs";

/** Writes packages/testkit/recordings with the agent CLIs as they are installed now; `npm run record [-- FILE …]`. */
for (const reason of await setUpToRecord()) console.log(reason);
await buildBundles();
const vitest = inRepository("node_modules", "vitest", "vitest.mjs");
await command(process.execPath, [vitest, "run", "--project=record", ...process.argv.slice(2)], {
  cwd: repository,
});
