import { toShellWord } from "../../../system/shell-word.ts";
import { canConnect } from "../../../transport/loopback.ts";
import type { Step } from "../../doctor/step.ts";
import { toStartCommand } from "../../installed-cli.ts";
import { toUnset } from "../environment.ts";
import type { Endpoint, HttpEndpoint, StdioEndpoint } from "../family-cli.ts";
import {
  failed,
  type Observation,
  ok,
  type StepId,
  startCompanion,
  toIdeName,
  unreached,
} from "./observation.ts";
import { type Exchange, type ProbeReport, probeHttp, probeStdio } from "./probe.ts";

const order: readonly StepId[] = ["port", "token", "handshake", "stream", "tools"];

/** What can be said when nothing was tried. */
export const connectionNotReached: readonly Step[] = order.map((id) => unreached(id));

/** What is known of a endpoint before the companion was spoken to. */
interface Attempt {
  readonly steps: readonly Step[];
  /** Whether the CLI would stay with this endpoint: it goes on to the next one until a handshake has succeeded. */
  readonly connected: boolean;
}

/** Tries the endpoints in the CLI's order, until one leads to a companion. */
export async function examineConnection(observation: Observation): Promise<readonly Step[]> {
  const { endpoints, workspace } = observation.discovered;
  // Without a file or a variable that tells the folders the CLI tries none.
  if (endpoints.length === 0 || workspace.result === "untold") return connectionNotReached;
  const attempts: Attempt[] = [];
  for (const endpoint of endpoints) {
    const attempt =
      endpoint.kind === "http" ? await tryHttp(endpoint, observation) : await tryStdio(endpoint, observation);
    if (attempt.connected) return [...toNotes(attempts), ...fill(attempt.steps)];
    attempts.push(attempt);
  }
  return fill(attempts[0]?.steps ?? []);
}

/** A endpoint that leads nowhere does no harm when a later one does. */
const toNotes = (attempts: readonly Attempt[]): readonly Step[] =>
  attempts.flatMap(({ steps }) =>
    steps
      .filter(({ result }) => result === "failed")
      .map(({ id, title, evidence }) => ({
        id,
        title,
        result: "note" as const,
        evidence: [...evidence, "the CLI then goes on to the next endpoint"],
      })),
  );

const fill = (steps: readonly Step[]): readonly Step[] => [
  ...steps,
  ...order.filter((id) => !steps.some((step) => step.id === id)).map((id) => unreached(id)),
];

async function tryHttp(endpoint: HttpEndpoint, observation: Observation): Promise<Attempt> {
  const { port, source } = endpoint;
  const host = await findListener(endpoint);
  if (host === undefined) {
    const evidence = `nothing listens on ${endpoint.hosts.join(" or ")}, port ${port} (${source})`;
    return { steps: [failed("port", [evidence], toFileRemedy(endpoint, observation))], connected: false };
  }
  const listening = ok("port", `${host}:${port} listens`);
  const report = await probeHttp(host, endpoint);
  const answer = report.exchanges.find(({ rpc }) => rpc === "initialize");
  if (answer?.status === 401 || answer?.status === 403) {
    const token = endpoint.token === undefined ? "no token was sent" : `the token of ${source} was refused`;
    const evidence = [token, `${answer.status}: ${readable(answer.refusal)}`];
    return { steps: [listening, failed("token", evidence, toRestart(observation))], connected: false };
  }
  if (report.server === undefined) {
    const steps = [
      listening,
      unreached("token"),
      failed("handshake", ...toHandshakeFault(report, answer, endpoint, observation)),
    ];
    return { steps, connected: false };
  }
  const token =
    endpoint.token === undefined
      ? "none is needed"
      : `that of ${toSourceName(source, observation)} is accepted`;
  const steps = [
    listening,
    ok("token", token),
    ok("handshake", report.server),
    examineStream(report.exchanges, observation),
    ...examineOffer(report, observation),
  ];
  return { steps, connected: true };
}

async function findListener({ hosts, port }: HttpEndpoint): Promise<string | undefined> {
  for (const host of hosts) if (await canConnect(host, port)) return host;
  return undefined;
}

async function tryStdio(endpoint: StdioEndpoint, observation: Observation): Promise<Attempt> {
  const command = [endpoint.command, ...endpoint.args].join(" ");
  const chooser = variableFromFile(observation);
  if (chooser !== undefined) {
    const { name, file } = chooser;
    const evidence = [`${command} is not started: ${file} has chosen it, and may have come with the project`];
    const remedy = `${toUnset(name, { [name]: file })} If it is yours, set it in this terminal instead.`;
    return { steps: [failed("handshake", evidence, remedy)], connected: false };
  }
  const report = await probeStdio(endpoint);
  if (report.server === undefined) {
    const evidence = [`${command} (${endpoint.source}) does not answer`, report.fault ?? ""];
    return { steps: [failed("handshake", evidence, toFileRemedy(endpoint, observation))], connected: false };
  }
  const steps = [
    ok("port", `none is needed: ${command} is started`),
    ok("token", "none is needed"),
    ok("handshake", report.server),
    ok("stream", "standard output"),
    ...examineOffer(report, observation),
  ];
  return { steps, connected: true };
}

/** The first variable that names a command, or the folder of a file that does, and that a file of variables has set. */
function variableFromFile({ cli, environment }: Observation) {
  const { stdioCommand, stdioArgs } = cli.variables;
  const sources = environment.envSources ?? {};
  for (const name of [stdioCommand, stdioArgs, ...cli.folderVariables, "TMP", "TEMP"]) {
    const file = sources[name];
    if (file !== undefined) return { name, file };
  }
  return undefined;
}

function toHandshakeFault(
  { fault = "" }: ProbeReport,
  answer: Exchange | undefined,
  endpoint: HttpEndpoint,
  observation: Observation,
): [readonly string[], string] {
  if (answer === undefined)
    return [[`port ${endpoint.port} does not answer: ${readable(fault)}`], toRestart(observation)];
  const evidence = `port ${endpoint.port} is served by something else: it answered ${answer.status} ${answer.type}`;
  return [[evidence], toFileRemedy(endpoint, observation)];
}

/** Context and decisions come by a stream that the CLI opens after the handshake. */
function examineStream(exchanges: readonly Exchange[], observation: Observation): Step {
  const stream = exchanges.find(({ method }) => method === "GET");
  if (stream?.status === 200 && stream.type.includes("text/event-stream")) return ok("stream", "open");
  const remedy = `Update the companion of ${toIdeName(observation)}: it must answer notifications/initialized with 202, and GET /mcp with a stream.`;
  if (stream) return failed("stream", [`GET /mcp answered ${stream.status} ${stream.type}`], remedy);
  const initialized = exchanges.find(({ rpc }) => rpc === "notifications/initialized");
  return failed(
    "stream",
    [`the CLI opens none: notifications/initialized was answered ${initialized?.status}`],
    remedy,
  );
}

/** What the companion can do, and what it says of the workspace. */
function examineOffer({ tools, context }: ProbeReport, observation: Observation): readonly Step[] {
  const missing = ["openDiff", "closeDiff"].filter((name) => !tools.includes(name));
  const offer =
    missing.length === 0
      ? ok("tools", tools.join(", "))
      : failed(
          "tools",
          [
            `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} missing; there is ${tools.join(", ") || "none"}`,
          ],
          `Update the companion of ${toIdeName(observation)}: without both tools the CLI shows its diffs in the terminal.`,
        );
  return [offer, ...examineTrust(context?.workspaceState?.isTrusted, observation)];
}

/** Where IDE and CLI differ, the CLI takes no more input: it wants to be restarted, again and again. */
function examineTrust(sent: boolean | undefined, observation: Observation): readonly Step[] {
  if (sent === undefined) return [];
  const { cli, folder, environment } = observation;
  const name = toIdeName(observation);
  const own = cli.trusts(environment);
  const opinion = `${name} says that this workspace is ${sent ? "" : "not "}trusted`;
  if (own === undefined) return [ok("trust", opinion, "the CLI trusts every folder")];
  if (own.isTrusted === sent) return [ok("trust", opinion, "so does the CLI")];
  // Its slash command cannot be typed: it takes every key for the answer to its question.
  const remedy = sent
    ? `Trust this folder in the CLI as well: set ${JSON.stringify(folder)}: "TRUST_FOLDER" in ${own.file}, and restart the CLI.`
    : `Trust the workspace in ${name}.`;
  return [failed("trust", [opinion, "the CLI does not agree, and takes no input"], remedy)];
}

/** What to do about a endpoint that leads to no companion. */
function toFileRemedy({ source }: Endpoint, observation: Observation): string {
  const { files, chosen } = observation.discovered;
  if (source !== chosen?.found.path) return startCompanion(observation);
  const remove = `Remove the file that leads nowhere: rm ${toShellWord(source)}`;
  if (files.some(({ result }) => result === "fits")) return remove;
  const gone = chosen.content?.serverPid ?? chosen.content?.ppid;
  // A companion that starts sweeps away what dead processes have left, and nothing else.
  if (gone !== undefined && !observation.environment.isAlive(gone)) return startCompanion(observation);
  const { folder, host, environment } = observation;
  return `${remove}; then start a companion for this folder: ${toStartCommand(folder, host, environment.platform)}`;
}

const toRestart = (observation: Observation) =>
  `Restart the companion of ${toIdeName(observation)}: it then writes its discovery files again.`;

/** The file that was chosen has been named before. */
const toSourceName = (source: string, { discovered }: Observation) =>
  source === discovered.chosen?.found.path ? "the file" : source;

const readable = (text: string) => text.replace(/\s+/g, " ").slice(0, 200);
