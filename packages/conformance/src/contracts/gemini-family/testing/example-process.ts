import { startExampleProcess } from "../example/companion.ts";
import { faults } from "./faults/index.ts";

// The example as a process, with the fault that a check catches: `node example-process.js [CHECK]`.
const [check] = process.argv.slice(2);
await startExampleProcess(check === undefined ? {} : faults[check]?.rules);
