import { basename } from "node:path";
import { createLocking, type Locked } from "../locking.ts";

/** The companion under test. */
export interface ClaudeTarget extends Locked {
  readonly port: number;
  /** Empty when the lock file has none. */
  readonly token: string;
}

/** How Claude Code finds companions. */
export const claudeLocking = createLocking({
  variable: "CLAUDE_CONFIG_DIR",
  folder: ".claude",
  looksInBoth: true,
  foreign: /^CLAUDE/,
  isName: /^\d+\.lock$/,
  toAddress: ({ path, content: { authToken } }) => ({
    port: Number.parseInt(basename(path), 10),
    token: typeof authToken === "string" ? authToken : "",
  }),
  listensAt: ({ port }) => port,
});
