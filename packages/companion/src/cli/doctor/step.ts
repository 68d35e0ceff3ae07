/** How one step went. */
export type Result =
  | "ok"
  /** Works, and is worth knowing when something else does not. */
  | "note"
  | "failed"
  /** An earlier link has failed: nothing can be said. */
  | "unreached";

/** One step from a CLI to its IDE. */
export interface Step {
  /** For programs that read `--json`. */
  readonly id: StepId;
  readonly title: string;
  readonly result: Result;
  /** What was found, for people; never a token. */
  readonly evidence: readonly string[];
  /** The one thing to do. Every failed step has one, no other has. */
  readonly remedy?: string;
}

/** In the order in which the CLI takes them. */
export const stepTitles = {
  program: "Program",
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
  proxy: "Proxy",
  port: "Port",
  token: "Token",
  handshake: "Handshake",
  stream: "Stream",
  tools: "Tools",
  trust: "Trust",
  running: "Running CLIs",
} as const;

export type StepId = keyof typeof stepTitles;

const toStep =
  (result: Result) =>
  (id: StepId, ...evidence: readonly string[]): Step => ({ id, title: stepTitles[id], result, evidence });

export const ok = toStep("ok");
export const note = toStep("note");
export const unreached = toStep("unreached");

export const failed = (id: StepId, evidence: readonly string[], remedy: string): Step => ({
  ...toStep("failed")(id, ...evidence),
  remedy,
});
