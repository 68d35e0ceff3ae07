import { comments } from "./comments/comments-entry.ts";
import { completions } from "./completions/completions-entry.ts";
import { diff } from "./diff/diff-entry.ts";
import { doctor } from "./doctor/doctor-entry.ts";
import { edits } from "./edits/edits-entry.ts";
import { env } from "./env/env-entry.ts";
import { forward } from "./forward/forward-entry.ts";
import { history } from "./history/history-entry.ts";
import { install, uninstall } from "./install/install-commands.ts";
import type { Command } from "./invocation.ts";
import { kakoune } from "./kakoune/kakoune-entry.ts";
import { lsp } from "./lsp/lsp-entry.ts";
import { mcp } from "./mcp/mcp-entry.ts";
import { pause, resume } from "./pause/pause-entry.ts";
import { review } from "./review/review-entry.ts";
import { run } from "./run/run-entry.ts";
import { status } from "./status/status-entry.ts";
import { watch } from "./watch/watch-entry.ts";

/** What happens when no command is named. */
export const defaultCommand = review;

/** The single source of parsing, help and completions. */
export const commands: readonly Command[] = [
  review,
  install,
  uninstall,
  run,
  env,
  status,
  pause,
  resume,
  doctor,
  watch,
  diff,
  edits,
  comments,
  history,
  mcp,
  forward,
  lsp,
  kakoune,
  completions,
];
