import { createSteps } from "../../doctor/step.ts";

/** The steps of this family's CLIs, in the order in which the CLI takes them. */
const titles = {
  settings: "Settings",
  "ide-mode": "IDE mode",
  approval: "Asks before it writes",
  sandbox: "Sandbox",
  process: "IDE's process",
  environment: "Variables",
  files: "Discovery files",
  ide: "IDE",
  workspace: "Workspace",
  container: "Container",
  port: "Port",
  token: "Token",
  handshake: "Handshake",
  stream: "Stream",
  tools: "Tools",
  trust: "Trust",
  running: "Running CLIs",
} as const;

export type StepId = keyof typeof titles;

export const { ok, note, unreached, failed } = createSteps<StepId>(titles);
