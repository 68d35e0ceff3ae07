import { type Arguments, UsageError } from "../../cli/options.ts";
import { findOne, openSubject, portOf } from "../../cli/subject.ts";
import { Unconnected } from "../check.ts";
import { type GivenMeans, RunnableContract } from "../contract.ts";
import type { Fault } from "../fault.ts";
import { lockFolder } from "../lock-file.ts";
import { diffsRules } from "./rules/diffs.ts";
import { discoveryRules } from "./rules/discovery.ts";
import { lifecycleRules } from "./rules/lifecycle.ts";
import type { Means } from "./rules/means.ts";
import { messagesRules, socketRules } from "./rules/socket.ts";
import { contextRules, diagnosticsRules } from "./rules/state.ts";
import { tabsRules } from "./rules/tabs.ts";
import { type ClaudeTarget, configFoldersOf, findCompanions, startClaude } from "./target/lock-file.ts";
import { Cli } from "./wire/cli.ts";
import { upgrade } from "./wire/frame-socket.ts";

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
    return openSubject(args, cleanup, { isGiven, start: startClaude, find: () => findTarget(args) });
  },
  addressOf: ({ port }) => `port ${port}`,
  secretsOf: ({ token }) => [token],
  createMeans,
});

async function findTarget(args: Arguments): Promise<ClaudeTarget> {
  const folders = configFoldersOf(process.env);
  return findOne(await findCompanions(folders), portOf(args), folders.map(lockFolder).join(" or "));
}

function createMeans({ common, clis, evidence }: GivenMeans<ClaudeTarget>): Means {
  const { limits, target: own } = common;
  const newCli = ({ port, token } = own) => {
    const { onUnanswered } = clis;
    const cli = new Cli({ port, token, evidence, answerWithin: limits.answer, onUnanswered });
    // As CLIs that exit: the companion takes their diffs away.
    clis.add(() => cli.close());
    return cli;
  };
  return {
    ...common,
    newCli,
    async connect(to) {
      const cli = newCli(to);
      await Unconnected.unless(cli.open().then(() => cli.greet()));
      return cli;
    },
    async knock(headers) {
      evidence.note(`→ upgrade with ${JSON.stringify(headers)}`);
      const answer = await upgrade({ port: own.port, headers, within: limits.answer, onText: () => {} });
      evidence.note(`← ${answer.status}`);
      answer.socket?.cut();
      return answer;
    },
  };
}
