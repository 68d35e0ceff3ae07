import { randomUUID } from "node:crypto";
import { UsageError } from "../../cli/options.ts";
import { NoCompanion, openSubject, refuseAddress } from "../../cli/subject.ts";
import { findServing } from "../../target/folders.ts";
import { RawConnection } from "../../wire/http.ts";
import { Unconnected } from "../check.ts";
import { type GivenMeans, RunnableContract } from "../contract.ts";
import { HttpCli } from "../http-cli.ts";
import { lockFolder } from "../lock-file.ts";
import type { CopilotFault } from "./faults.ts";
import { type CopilotTarget, findCompanions, homeOf, startCopilot } from "./lock-file.ts";
import { contextRules, diagnosticsRules } from "./rules/context.ts";
import { diffsRules } from "./rules/diffs.ts";
import { discoveryRules } from "./rules/discovery.ts";
import { lifecycleRules } from "./rules/lifecycle.ts";
import { currentVersion, type Means } from "./rules/means.ts";
import { sessionRules } from "./rules/session.ts";
import { socketRules } from "./rules/socket.ts";
import { tabsRules } from "./rules/tabs.ts";
import { toolsRules } from "./rules/tools.ts";

/** MCP over HTTP on a Unix socket or a named pipe, with a lock file in the CLI's own folder. */
export const copilotCli = new RunnableContract<CopilotTarget, Means, CopilotFault>({
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

function createMeans({ common, clis, evidence }: GivenMeans<CopilotTarget>): Means {
  const { limits, target } = common;
  const means: Means = {
    ...common,
    newCli({ socketPath, headers } = target, ownId = randomUUID()) {
      const cli = new HttpCli({
        ...{ title: "Copilot CLI", port: socketPath, limits, evidence, onUnanswered: clis.onUnanswered },
        own: {
          ...headers,
          host: "localhost",
          "x-copilot-session-id": ownId,
          "x-copilot-pid": String(process.pid),
          "x-copilot-parent-pid": String(process.ppid),
        },
        posting: { "transfer-encoding": "chunked" },
        clientInfo: { name: "copilot-cli", version: "1.0.102" },
        protocolVersion: currentVersion,
      });
      clis.add(async () => {
        // As CLIs that exit: the companion takes their diffs away.
        if (cli.id !== undefined) await cli.leave().catch(() => {});
        cli.kill();
      });
      return cli;
    },
    async connect(to) {
      const cli = means.newCli(to);
      await Unconnected.unless(cli.greet());
      await cli.openStream();
      await cli.list();
      return cli;
    },
    async raw() {
      const connection = await RawConnection.open(target.socketPath, limits.answer);
      clis.later(() => connection.close());
      return connection;
    },
  };
  return means;
}
