import { startCodexExampleProcess } from "../example/companion.ts";
import { faults } from "./faults.ts";

// The example as a process, with the fault that a check catches: `node example-process.js [CHECK]`.
const [check] = process.argv.slice(2);
await startCodexExampleProcess(check === undefined ? {} : faults[check]?.rules);
