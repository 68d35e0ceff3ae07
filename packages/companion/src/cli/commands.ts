import { doctor, forward, hook, pause, resume, reviewMode, run, status } from "./commands/agents.ts";
import { kakoune, lsp, mcp, review } from "./commands/frontends.ts";
import { changes, comments, diff, edits, history } from "./commands/proposals.ts";
import { completions, install, uninstall } from "./commands/set-up.ts";
import type { Command } from "./invocation.ts";

/** What happens when no command is named. */
export const defaultCommand = withHelp(review);

/** The single source of parsing, help and completions. */
export const commands: readonly Command[] = [
  defaultCommand,
  ...[
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
  ].map(withHelp),
];

function withHelp(command: Command): Command {
  const help = { name: "help", short: "h", summary: "show this help" };
  return { ...command, options: [...command.options, help] };
}
