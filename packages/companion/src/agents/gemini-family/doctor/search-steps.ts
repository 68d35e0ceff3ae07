import { toShellWord } from "../../../system/shell-word.ts";
import { canConnect } from "../../../transport/loopback.ts";
import { findMisplaced } from "../../discovery/misplaced.ts";
import type { Step } from "../../doctor/step.ts";
import { toRenaming } from "../../installed-cli.ts";
import { toUnset } from "../environment.ts";
import type { JudgedFile, WorkspaceCheck } from "../family-cli.ts";
import { failed, note, type Observation, ok, startCompanion, toIdeName, unreached } from "./observation.ts";

/** From the CLI's process up to its IDE's. */
export function examineProcess({ agent, ideProcess, host }: Observation): Step {
  const { pid, rule, walked, command } = ideProcess;
  const ancestry = walked.map((process) => `${process.name} ${process.pid}`).join(" ← ");
  const name = command === "" ? "" : `, ${command.split(" ").slice(0, 3).join(" ")}`;
  switch (rule) {
    case "variable":
      return ok(
        "process",
        `${pid}${name}: ${agent.pidVariable}=${host.env[agent.pidVariable ?? ""]} names it`,
      );
    case "shell":
      return ok("process", `${pid}${name}: it stands above the first shell`, ancestry);
    case "topmost":
      return ok("process", `${pid}${name}: the topmost, for no shell is above the CLI`, ancestry);
    case "windows":
      return ok("process", `${pid}${name}: two below the topmost`, ancestry);
    case "unknown":
      return note(
        "process",
        "processes cannot be listed here (by ps, on Windows by PowerShell): files cannot be matched to processes",
      );
  }
}

/** The variables of this terminal that a companion would have set, against the file that is chosen. */
export function examineEnvironment({ agent, cli, host, discovered, environment }: Observation): Step {
  const { port, workspace, token, stdioCommand, stdioArgs } = cli.variables;
  const { envSources = {} } = environment;
  const from = (name: string) => (envSources[name] === undefined ? "" : `, from ${envSources[name]}`);
  // What moves its folders is worth a word where nobody would look for it.
  const moving = cli.folderVariables.filter((name) => envSources[name] !== undefined);
  const shown = [port, workspace, agent.pidVariable, stdioCommand, stdioArgs, ...moving].flatMap((name) =>
    name !== undefined && host.env[name] ? [`${name}=${host.env[name]}${from(name)}`] : [],
  );
  const evidence = [...shown, ...(token && host.env[token] ? [`${token} is set${from(token)}`] : [])];
  if (evidence.length === 0) return ok("environment", "none is set: the files decide");
  const named = host.env[port];
  const chosen = discovered.chosen?.content?.port;
  if (named && chosen !== undefined && named !== String(chosen)) {
    return note("environment", ...evidence, `the chosen file has another port, ${chosen}: the file counts`);
  }
  return ok("environment", ...evidence);
}

/** Every discovery file, with what becomes of it. */
export async function examineFiles(observation: Observation): Promise<Step> {
  const { discovered } = observation;
  const evidence = discovered.files.flatMap((file) => describeFile(file, observation));
  if (discovered.chosen) return ok("files", ...evidence);
  const none = evidence.length === 0 ? ["there is none"] : evidence;
  // The variables alone lead somewhere when they also tell the folders.
  if (discovered.endpoints.length > 0 && discovered.workspace.result === "inside") {
    return note("files", ...none, "the variables lead on");
  }
  return failed("files", none, await toRemedy(observation));
}

function describeFile(
  { found, result, reason, content }: JudgedFile,
  observation: Observation,
): readonly string[] {
  const verb = { chosen: "is chosen", fits: "is passed over", refused: "is refused" }[result];
  const open = found.mode & 0o077 && process.platform !== "win32" ? found.mode.toString(8) : undefined;
  const pid = content?.serverPid ?? content?.ppid;
  const gone = pid !== undefined && !observation.environment.isAlive(pid) && !reason.includes(String(pid));
  return [
    `${found.path} ${verb}: ${reason}`,
    ...(gone ? [`its process ${pid} is gone`] : []),
    ...(open === undefined ? [] : [`others may read its token: its mode is ${open}, and should be 600`]),
  ];
}

/** Which IDE the CLI takes itself to be in, which it must know before it tries anything. */
export function examineIde({ agent, discovered, environment }: Observation): Step {
  const { ide, chosen, endpoints } = discovered;
  if (ide) return ok("ide", `${ide.ide.displayName}: ${ide.sign}`);
  if (!chosen && endpoints.length === 0) return unreached("ide", "no file names one, nor does the terminal");
  const evidence = [
    chosen ? `${chosen.found.path} has no ideInfo` : "no file names one",
    "nothing in this terminal speaks for an IDE that the CLI knows",
  ];
  const variable =
    environment.platform === "win32" ? "set TERM_PROGRAM=vscode, then " : "TERM_PROGRAM=vscode ";
  return failed("ide", evidence, `Start the CLI as one in a known terminal: ${variable}${agent.command}`);
}

/** Whether this folder is one that the IDE has open. */
export async function examineWorkspace(observation: Observation): Promise<Step> {
  const { chosen, endpoints, workspace } = observation.discovered;
  if (!chosen && endpoints.length === 0) return unreached("workspace");
  switch (workspace.result) {
    case "inside":
      return ok(
        "workspace",
        workspace.source === chosen?.found.path ? workspace.roots.join(", ") : describeRoots(workspace),
      );
    case "outside":
      return failed(
        "workspace",
        [describeRoots(workspace), `this folder is ${observation.folder}`],
        await toRemedy(observation),
      );
    case "none-open":
      return failed(
        "workspace",
        [`${toIdeName(observation)} has no folder open`],
        await toRemedy(observation),
      );
    case "untold": {
      if (!chosen) return unreached("workspace", "neither a file nor a variable says which");
      return failed("workspace", [`${chosen.found.path} does not say which`], await toRemedy(observation));
    }
  }
}

const describeRoots = ({ roots, source }: Extract<WorkspaceCheck, { roots: unknown }>) =>
  `${roots.join(", ") || "no absolute folder"} (${source})`;

/** A companion that looks elsewhere is there already; an IDE without a folder needs one; for all else there is our own. */
async function toRemedy(observation: Observation): Promise<string> {
  const { agent, all, cli, host, folder, discovered } = observation;
  // Where no list can hold the folder, the place of the files is not the cause.
  const isListable = toRenaming(folder, host) === undefined;
  const misplaced = isListable ? await findMisplaced(agent, cli, host, folder, all) : undefined;
  if (misplaced) return toPlaceRemedy(misplaced.name, misplaced.value, observation);
  const empty = discovered.files.find(({ content }) => content?.workspacePath === "");
  const others = discovered.files.filter(({ content }) => content?.workspacePath);
  if (!empty || others.length > 0) return startCompanion(observation);
  const name = empty.content?.ideInfo?.displayName ?? empty.content?.ideName ?? "your IDE";
  return `Open ${folder} in ${name}.`;
}

function toPlaceRemedy(name: string, value: string | undefined, { agent, environment }: Observation): string {
  const { envSources = {} } = environment;
  if (envSources[name] !== undefined) return toUnset(name, envSources);
  return value === undefined
    ? `Start the CLI without ${name}, as the companion was: env -u ${name} ${agent.command}`
    : `Start the CLI with ${name} as the companion has it: ${name}=${toShellWord(value)} ${agent.command}`;
}

const here = "127.0.0.1";

/** In a container a CLI may look for its IDE outside, and find nothing there. */
export async function examineContainer({ agent, discovered, environment }: Observation): Promise<Step> {
  const { hosts, endpoints } = discovered;
  if (!environment.inContainer) return ok("container", "this is none");
  if (hosts.includes(here))
    return ok("container", `this is one, and the CLI looks on ${hosts.join(", then ")}`);
  const evidence = `this is one, and the CLI looks on ${hosts.join(", ")} only`;
  const port = endpoints.find((endpoint) => endpoint.kind === "http")?.port;
  if (port === undefined) return note("container", evidence);
  for (const host of hosts) {
    if (await canConnect(host, port)) return ok("container", evidence, `port ${port} answers there`);
  }
  if (!(await canConnect(here, port))) return note("container", evidence);
  const found = `port ${port} answers on ${here}, and not there`;
  const remedy = `Let it look inside the container: ide-companion run ${agent.name}`;
  return failed("container", [evidence, found], remedy);
}
