import { UsageError } from "../../cli/options.ts";
import { NoCompanion, openSubject, refuseAddress } from "../../cli/subject.ts";
import { findServing } from "../../target/folders.ts";
import { RawConnection } from "../../wire/http.ts";
import { Unconnected } from "../check.ts";
import { type GivenMeans, type OwnMeans, RunnableContract } from "../contract.ts";
import { lockFolder } from "../lock-file.ts";
import { Cli } from "./cli.ts";
import type { CopilotFault } from "./faults.ts";
import {
  type CopilotTarget,
  findCompanions,
  homeOf,
  type StartedCopilot,
  startCopilot,
} from "./lock-file.ts";
import { contextRules, diagnosticsRules } from "./rules/context.ts";
import { diffsRules } from "./rules/diffs.ts";
import { discoveryRules } from "./rules/discovery.ts";
import { lifecycleRules } from "./rules/lifecycle.ts";
import type { Means } from "./rules/means.ts";
import { sessionRules } from "./rules/session.ts";
import { socketRules } from "./rules/socket.ts";
import { tabsRules } from "./rules/tabs.ts";
import { toolsRules } from "./rules/tools.ts";

/** MCP over HTTP on a Unix socket or a named pipe, with a lock file in the CLI's own folder. */
export const copilotCli = new RunnableContract<CopilotTarget, StartedCopilot, Means, CopilotFault>({
  agents: ["copilot-cli"],
  groups: {
    discovery: { title: "Discovery", rules: discoveryRules },
    socket: { title: "Socket", rules: socketRules },
    session: { title: "Session", rules: { ...sessionRules, ...toolsRules } },
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
    return openSubject(args, cleanup, { isGiven: false, start: startCopilot, find: findTarget });
  },
  addressOf: ({ socketPath }) => socketPath,
  secretsOf: ({ headers }) => Object.values(headers),
  createMeans,
});

async function findTarget(): Promise<CopilotTarget> {
  const home = homeOf(process.env);
  const [only, ...others] = await findServing(process.cwd(), await findCompanions(home));
  if (!only) throw new NoCompanion(`no companion in ${lockFolder(home)} has ${process.cwd()} open`);
  if (others.length > 0)
    throw new UsageError("several companions serve this folder: close all but one of these editors");
  return only;
}

function createMeans({
  common,
  target,
  evidence,
}: GivenMeans<CopilotTarget, StartedCopilot>): OwnMeans<Means> {
  const { limits } = common;
  const clis: Cli[] = [];
  const connections: RawConnection[] = [];
  let isUnanswered = false;
  const onUnanswered = () => {
    isUnanswered = true;
  };
  const means: Means = {
    ...common,
    target,
    newCli({ socketPath, headers } = target, ownId) {
      const line = { port: socketPath, answerWithin: limits.answer, onUnanswered };
      const cli = new Cli({ headers, line, evidence, ownId });
      clis.push(cli);
      return cli;
    },
    async connect(to) {
      const cli = means.newCli(to);
      await Unconnected.unless(cli.greet());
      return cli;
    },
    async raw() {
      const connection = await RawConnection.open(target.socketPath, limits.answer);
      connections.push(connection);
      return connection;
    },
  };
  return {
    means,
    facts: () => ({ isUnanswered, clis: clis.length }),
    async close() {
      for (const connection of connections) connection.close();
      // As CLIs that exit: the companion takes their diffs away.
      await Promise.allSettled(clis.filter(({ id }) => id !== undefined).map((cli) => cli.leave()));
      for (const cli of clis) cli.kill();
    },
  };
}
