import { doctor, forward, hook, pause, resume, reviewMode, run, status } from "./commands/agents.ts";
import { kakoune, lsp, mcp, review } from "./commands/frontends.ts";
import { changes, comments, diff, edits, history } from "./commands/proposals.ts";
import { completions, install, uninstall } from "./commands/set-up.ts";
import type { Command } from "./invocation.ts";

/** What happens when no command is named. */
export const defaultCommand = review;

/** The single source of parsing, help and completions. */
export const commands: readonly Command[] = [
  review,
  install,
  uninstall,
  run,
  status,
  pause,
  resume,
  doctor,
  diff,
  edits,
  comments,
  history,
  changes,
  reviewMode,
  mcp,
  forward,
  lsp,
  kakoune,
  hook,
  completions,
];
