import { type Arguments, UsageError } from "../../cli/options.ts";
import { findOne, openSubject, portOf } from "../../cli/subject.ts";
import { RunnableContract } from "../contract.ts";
import type { Fault } from "../fault.ts";
import { lockFolder } from "../locking.ts";
import { type ClaudeTarget, claudeLocking } from "./lock-file.ts";
import { diffsRules } from "./rules/diffs.ts";
import { discoveryRules } from "./rules/discovery.ts";
import { lifecycleRules } from "./rules/lifecycle.ts";
import { createMeans, type Means } from "./rules/means.ts";
import { messagesRules, socketRules } from "./rules/socket.ts";
import { contextRules, diagnosticsRules } from "./rules/state.ts";
import { tabsRules } from "./rules/tabs.ts";

/** JSON-RPC over a WebSocket, with a lock file in the CLI's own folder. */
export const claudeCode = new RunnableContract<ClaudeTarget, Means, Fault>({
  agents: ["claude-code"],
  groups: {
    discovery: { title: "Discovery", rules: discoveryRules },
    socket: { title: "Socket", rules: socketRules },
    messages: { title: "Messages", rules: messagesRules },
    diffs: { title: "Diffs", rules: { ...diffsRules, ...tabsRules } },
    context: { title: "Context", rules: contextRules },
    diagnostics: { title: "Diagnostics", rules: diagnosticsRules },
    lifecycle: { title: "Lifecycle", rules: lifecycleRules },
  },
  handshake: "handshake",
  severalClis: "several-clis",
  titlesOf: () => ["Claude Code"],
  async open(args, cleanup) {
    if (args.has("url") || args.has("token"))
      throw new UsageError(
        "Claude Code finds its companion by a lock file: name it with --port, not with --url",
      );
    const isGiven = args.has("port");
    return openSubject(args, cleanup, { isGiven, start: claudeLocking.start, find: () => findTarget(args) });
  },
  addressOf: ({ port }) => `port ${port}`,
  secretsOf: ({ token }) => [token],
  createMeans,
});

async function findTarget(args: Arguments): Promise<ClaudeTarget> {
  const folders = claudeLocking.ownFolders(process.env);
  return findOne(await claudeLocking.find(folders), portOf(args), folders.map(lockFolder).join(" or "));
}
