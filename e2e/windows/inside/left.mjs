// Runs on Windows: prints as JSON by which files CLIs find a companion now. `node left.mjs`
import { list, print } from "./terminal.mjs";

print({ left: list() });
