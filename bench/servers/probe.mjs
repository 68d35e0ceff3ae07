import { measurements, serve } from "./commands.mjs";

// Loaded before the executable, which is measured as it ships.
serve(measurements);
