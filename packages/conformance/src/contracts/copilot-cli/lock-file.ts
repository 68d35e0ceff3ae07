import { isJson } from "../../wire/json-rpc.ts";
import { createLocking, type Locked } from "../locking.ts";

/** The companion under test. */
export interface CopilotTarget extends Locked {
  readonly socketPath: string;
  /** What the CLI sends with every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How Copilot CLI finds companions. */
export const copilotLocking = createLocking({
  variable: "COPILOT_HOME",
  folder: ".copilot",
  foreign: /^COPILOT/,
  isName: /\.lock$/,
  toAddress: ({ content: { socketPath, headers } }) =>
    typeof socketPath === "string" ? { socketPath, headers: textsIn(headers) } : undefined,
  listensAt: ({ socketPath }) => socketPath,
});

function textsIn(headers: unknown): Record<string, string> {
  const entries = isJson(headers) ? Object.entries(headers) : [];
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}
