import { createSteps } from "../../doctor/step.ts";

/** In the order in which the CLI takes them. */
export const { ok, note, unreached, failed } = createSteps({
  settings: "Settings",
  approval: "Asks before it writes",
  "diff-tool": "Diffs in the editor",
  environment: "Variables",
  "auto-connect": "Connects at its start",
  files: "Lock files",
  choice: "One companion",
  proxy: "Proxy",
  port: "Port",
  handshake: "Handshake",
  running: "Running CLIs",
});
