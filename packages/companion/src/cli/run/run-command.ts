import { type ChildProcess, execFile } from "node:child_process";
import { constants } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import spawn from "cross-spawn";
import type { Agent, AgentWithCli, LiveFinding } from "../../agents/agent.ts";
import { agents, discoveryClients } from "../../agents/agents.ts";
import { toTerminalEnv } from "../../agents/discovery/announced.ts";
import { toAddress } from "../../agents/discovery/find-companions.ts";
import { hashOf } from "../../files/text-hash.ts";
import { toRealPath } from "../../files/workspace-path.ts";
import { codeOf } from "../../system/error-message.ts";
import { type Host, isInContainer, toLoopbackEnv } from "../../system/host.ts";
import { statOf } from "../../system/liveness.ts";
import { findAgent } from "../arguments.ts";
import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { findServing } from "../serving.ts";
import { toDisplayPath } from "../terminal/text.ts";

/** Starts an agent's CLI in this terminal, bound to the companion of this folder. */
export async function runAgent(invocation: Invocation): Promise<number> {
  const { host, folder, err } = invocation;
  const agent = toAgent(invocation.arguments.words[0]);
  const [name] = invocation.arguments.all("tmux");
  if (name !== undefined) {
    const exitCode = await startCli(inTmux(name, agent, invocation));
    if (exitCode !== undefined) return exitCode;
    err.line(err.paint.yellow("There is no tmux in your PATH: the agent ends with this terminal."));
  }
  const serving = await findServing(invocation, { agents: [agent], folders: [folder] });
  if (!serving) return exitCodes.failure;
  const { plain, bold, red } = err.paint;
  if (agent.contextOnly) {
    err.line(`${plain(`${agent.displayName} asks your editor after`)} ${bold(agent.connectCommand)}`);
  }
  if (needsConnectCommand(agent, serving.chosen.roots, folder)) {
    const roots = serving.chosen.roots.map((root) => toDisplayPath(root, host.home)).join(", ");
    const where = `${agent.displayName} connects alone only in ${roots}. Here, type`;
    err.line(`${plain(where)} ${bold(agent.connectCommand)}`);
  }
  // What the CLI starts may well be a command of ours.
  const own = serving.findings.find((finding) => finding.agent.isOwn);
  const exitCode = await startCli({
    command: agent.command,
    args: invocation.arguments.passedOn,
    env: {
      ...host.env,
      ...(own && toAgentEnv(own, host, false)),
      ...toAgentEnv(serving.chosen, host, isInContainer(), agent),
    },
  });
  if (exitCode !== undefined) return exitCode;
  const why = `${agent.displayName} is not installed: there is no ${agent.command} in your PATH`;
  err.line(`${red("error:")} ${plain(why)}`);
  err.line(`Install it with: ${bold(agent.installCommand)}`);
  return exitCodes.notFound;
}

/**
 * The variables that bind an agent's CLI to a companion.
 * @param agent by default the one by whose file the companion was found
 */
export const toAgentEnv = (
  finding: LiveFinding,
  host: Host,
  inContainer: boolean,
  agent = finding.agent,
): Readonly<Record<string, string>> => ({
  ...toLoopbackEnv(host.env),
  // The companion was found on this side: in a container, it is in the same one.
  ...(inContainer && agent.containerEnv),
  ...toTerminalEnv(agent, toAddress(finding), host),
});

/** @param folder absolute; symlinks are followed, as in the roots */
export const needsConnectCommand = (agent: Agent, roots: readonly string[], folder: string): boolean =>
  agent.startsInRoot === true && !roots.map(toRealPath).includes(toRealPath(folder));

function toAgent(name: string | undefined): AgentWithCli {
  if (name !== undefined) return findAgent(name);
  throw new UsageError(`name the agent to run: known are ${agents.map((agent) => agent.name).join(", ")}`);
}

/**
 * The same call in a session of tmux, which is made, or attached to if it is there. Tokens are no arguments, because
 * everybody can read those: the call finds its companion by the rest.
 */
function inTmux(name: string, agent: Agent, { arguments: given, folder, host }: Invocation): CliCall {
  const toName = (text: string) => text.replaceAll(/[^\w-]/g, "_");
  const session = [toName(name), toName(path.basename(folder)), hashOf(folder).slice(0, 6)].join("-");
  const variables = new Set(discoveryClients.flatMap((client) => Object.values(client.variables)));
  const env = [...variables].flatMap((one) => ["-e", `${one}=${/^\d+$/.exec(host.env[one] ?? "") ?? ""}`]);
  const call = [process.execPath, process.argv[1] ?? "", "run", agent.name, "--", ...given.passedOn];
  return {
    command: "tmux",
    args: [
      ...["new-session", "-A", "-s", session, "-c", folder, ...env],
      // tmux would end its command there.
      ...call.map((word) => word.replace(/;$/, "\\;")),
      ...[";", "set-option", "-t", `=${session}:`, "status", "off"],
    ],
    env: { ...host.env, TMUX: undefined }, // it refuses to run in tmux
  };
}

interface CliCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Sent to us alone, by a script or a closing terminal: the CLI must hear of them. */
const forwarded: readonly NodeJS.Signals[] = ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"];

/**
 * Runs a CLI in this terminal to its end.
 * @returns its exit code; undefined where there is no such program
 * @throws Error when it is there but cannot be started
 */
function startCli({ command, args, env }: CliCall): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const look = createLook(() => child);
    // Elsewhere no shell waits for us to stop. Before the start: the CLI may stop at once.
    if (process.stdin.isTTY) process.on("SIGCHLD", look);
    const child = spawn(command, [...args], { stdio: "inherit", env });
    const forward = (signal: NodeJS.Signals) => void child.kill(signal);
    // Ctrl-C reaches the CLI by the terminal, and it decides what that means.
    const interrupt = () => {
      if (!process.stdin.isTTY) child.kill("SIGINT");
    };
    process.on("SIGINT", interrupt);
    for (const signal of forwarded) process.on(signal, forward);
    const finish = () => {
      process.off("SIGCHLD", look);
      process.off("SIGINT", interrupt);
      for (const signal of forwarded) process.off(signal, forward);
    };
    child.once("error", (error) => {
      finish();
      if (codeOf(error) === "ENOENT") resolve(undefined);
      else reject(error);
    });
    child.once("exit", (code, signal) => {
      finish();
      resolve(code ?? exitCodes.signal + (signal ? constants.signals[signal] : 0));
    });
  });
}

/**
 * What to do when the state of a CLI has changed. Claude Code stops itself alone at Ctrl-Z: the shell takes the terminal
 * back only once we have stopped as well. Its `fg` lets both go on.
 */
function createLook(getChild: () => ChildProcess): () => Promise<void> {
  let isAsking = false;
  return async () => {
    const { pid } = getChild();
    if (isAsking || pid === undefined) return;
    // The end of `ps` is a change as well, and none to look at.
    isAsking = process.platform !== "linux";
    if (await isStopped(pid)) process.kill(process.pid, "SIGSTOP");
    setImmediate(() => {
      isAsking = false;
    });
  };
}

/** Whether a process is stopped, and not by a debugger. */
export const isStopped = async (pid: number, platform = process.platform): Promise<boolean> =>
  (await stateOf(pid, platform).catch(() => "")).startsWith("T"); // none: it has ended meanwhile

async function stateOf(pid: number, platform: NodeJS.Platform): Promise<string> {
  if (platform === "linux") return statOf(pid)[0] ?? "";
  return (await promisify(execFile)("ps", ["-o", "stat=", "-p", String(pid)])).stdout;
}
