import { realpath } from "node:fs/promises";
import { type Arguments, UsageError } from "../../cli/options.ts";
import { NoCompanion, openSubject } from "../../cli/subject.ts";
import type { Contract } from "../contract.ts";
import { checks } from "./checks/index.ts";
import { rules } from "./rules.ts";
import { runCodexChecks } from "./run.ts";
import { type CodexTarget, isAnswered, socketsOf, startCodex } from "./target/socket.ts";

/** Messages with their length before them, on one socket for each user. */
export const codexCli: Contract = {
  agents: ["codex-cli"],
  rules,
  checks,
  whomOf: () => undefined,
  async open(args, cleanup) {
    checkArguments(args);
    const subject = await openSubject(args, cleanup, { isGiven: false, start: startCodex, find: findTarget });
    return {
      name: subject.target.name,
      address: subject.target.socket,
      agents: ["Codex CLI"],
      run: (chosen, options) =>
        runCodexChecks(
          checks.filter(({ id }) => chosen.has(id)),
          subject,
          options,
        ),
    };
  },
};

/** @throws UsageError for an address, which its companions do not have */
function checkArguments(args: Arguments): void {
  const extra = ["url", "token", "port"].find((name) => args.has(name));
  if (extra !== undefined)
    throw new UsageError(`Codex CLI finds its companion by a socket in its own folder, not by --${extra}`);
  if (args.has("isolated") && args.command.length === 0)
    throw new UsageError("--isolated needs a command that starts companions, after --");
}

async function findTarget(): Promise<CodexTarget> {
  const sockets = socketsOf(process.env);
  const here = await realpath(process.cwd());
  if (!(await isAnswered(sockets.socket, here)))
    throw new NoCompanion(`nobody answers for ${here} at ${sockets.socket}`);
  return { ...sockets, name: "a companion", roots: [here] };
}
