import "../scripts/node-version.mjs";
import { setUpToRehearse } from "../scripts/setup.mjs";
import { useInstalled } from "./rehearsal/installed-programs.mjs";
import { managers } from "./rehearsal/managers.mjs";
import { Rehearsal } from "./rehearsal/rehearsal.mjs";

/** Does with the last commit what a release does after its tests, and installs what it has published. */
async function main() {
  await setUpToRehearse();
  const rehearsal = await Rehearsal.start();
  try {
    for (const job of ["publish", "extension"]) await rehearsal.runJob(job, console.log);
    for (const manager of managers) {
      const { version } = await useInstalled(rehearsal, manager);
      if (version !== rehearsal.version) throw new Error(`${manager.name} has installed version ${version}`);
      console.log(`installed by ${manager.name}: ide-companion ${version}, its kit and its page`);
    }
  } finally {
    await rehearsal.close();
  }
}

await main();
