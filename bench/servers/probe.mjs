import { measurements, obey } from "./commands.mjs";

// Loaded into the executable before itself, so that it can be measured as it ships.
obey(measurements);
