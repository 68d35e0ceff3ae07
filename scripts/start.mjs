import "./node-version.mjs";
import { pathToFileURL } from "node:url";
import { buildBundles, executable } from "./build.mjs";
import { setUpToRun } from "./setup.mjs";

try {
  await setUpToRun();
  await buildBundles();
} catch (error) {
  console.error(`\nide-companion could not be built. ${error.message}`);
  process.exit(1);
}

// The companion runs in this very process: signals and the exit code are its own, nothing can be left behind.
// npm has changed into the repository; the user is where npm was called.
process.chdir(process.env.INIT_CWD ?? process.cwd());
process.argv[1] = executable;
await import(pathToFileURL(executable).href);
