import { findOne, openSubject, refuseAddress } from "../../cli/subject.ts";
import { RunnableContract } from "../contract.ts";
import { lockFolder } from "../locking.ts";
import type { CopilotFault } from "./faults.ts";
import { type CopilotTarget, copilotLocking } from "./lock-file.ts";
import { contextRules, diagnosticsRules } from "./rules/context.ts";
import { diffsRules } from "./rules/diffs.ts";
import { discoveryRules } from "./rules/discovery.ts";
import { lifecycleRules } from "./rules/lifecycle.ts";
import { createMeans, type Means } from "./rules/means.ts";
import { sessionRules } from "./rules/session.ts";
import { socketRules } from "./rules/socket.ts";
import { tabsRules } from "./rules/tabs.ts";

/** MCP over HTTP on a Unix socket or a named pipe, with a lock file in the CLI's own folder. */
export const copilotCli = new RunnableContract<CopilotTarget, Means, CopilotFault>({
  agents: ["copilot-cli"],
  groups: {
    discovery: { title: "Discovery", rules: discoveryRules },
    socket: { title: "Socket", rules: socketRules },
    session: { title: "Session", rules: sessionRules },
    diffs: { title: "Diffs", rules: { ...diffsRules, ...tabsRules } },
    context: { title: "Context", rules: contextRules },
    diagnostics: { title: "Diagnostics", rules: diagnosticsRules },
    lifecycle: { title: "Lifecycle", rules: lifecycleRules },
  },
  handshake: "initialize",
  severalClis: "several-clis",
  titlesOf: () => ["Copilot CLI"],
  async open(args, cleanup) {
    refuseAddress(args, "Copilot CLI finds its companion by a lock file");
    return openSubject(args, cleanup, { isGiven: false, start: copilotLocking.start, find: findTarget });
  },
  addressOf: ({ socketPath }) => socketPath,
  secretsOf: ({ headers }) => Object.values(headers),
  createMeans,
});

async function findTarget(): Promise<CopilotTarget> {
  const folders = copilotLocking.ownFolders(process.env);
  return findOne(await copilotLocking.find(folders), undefined, folders.map(lockFolder).join(" or "));
}
