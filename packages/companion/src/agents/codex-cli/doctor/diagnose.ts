import { existsSync, lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse, TomlError } from "smol-toml";
import { holds, toRealPath } from "../../../files/workspace-path.ts";
import { messageOf } from "../../../system/error-message.ts";
import { ownUid } from "../../../system/private-file.ts";
import { maxSocketPath } from "../../../transport/local-socket.ts";
import type { Agent, Diagnosis, LiveFinding, Terminal } from "../../agent.ts";
import { findCompanions } from "../../discovery/find-companions.ts";
import { type CliPackage, examineProgram } from "../../doctor/program.ts";
import { createSteps, type Step } from "../../doctor/step.ts";
import { findInstalledCli, toStartCommand } from "../../installed-cli.ts";
import { ownId } from "../messages.ts";
import { askForContext } from "../question.ts";
import { codexHome, codexSockets } from "../sockets.ts";

/** In the order in which the CLI takes them. */
const { ok, note, unreached, failed } = createSteps({
  environment: "Variables",
  settings: "Settings",
  socket: "Socket",
  answer: "Answer",
  command: "Asks for the context",
});

/** Takes every step of a CLI that starts here, now, and in which its user types the command. */
export async function diagnose(
  agent: Agent,
  cli: CliPackage,
  terminal: Terminal,
  all: readonly Agent[],
): Promise<Diagnosis> {
  const { host, platform = process.platform } = terminal;
  const folder = toRealPath(terminal.folder);
  const companion = await findCompanionOf(folder, terminal, all);
  const start = `Start a companion for this folder: ${toStartCommand(folder, host, platform)}`;
  const restart = "Restart it with the CODEX_HOME of this terminal.";
  const remedy = companion ? restart : start;
  const sockets = codexSockets(host, ownUid(), platform);
  const addresses = [...new Set([sockets.current, sockets.former])];
  const judged = addresses.map((address) => ({ address, fault: whyRefused(address, platform) }));
  const usable = judged.find(({ fault }) => fault === undefined);
  const steps = [
    await examineProgram(agent, cli, host, findInstalledCli(agent, cli, host)),
    examineEnvironment(host.env),
    examineSettings(path.join(codexHome(host), "config.toml")),
    examineSockets(judged, remedy, platform),
    usable === undefined
      ? unreached("answer")
      : await examineAnswer(usable.address, folder, { start, restart, companion }),
    note(
      "command",
      `it is off at every start: type ${agent.connectCommand} in ${agent.displayName}, in every run`,
      `edits are decided on in the terminal, and \`${agent.command} exec\` never asks`,
    ),
  ];
  return { steps, ide: companion?.ide?.displayName ?? "your editor" };
}

/** A companion of this folder, by the files that other agents find it by. */
async function findCompanionOf(
  folder: string,
  { host }: Terminal,
  all: readonly Agent[],
): Promise<LiveFinding | undefined> {
  const findings = await findCompanions(host, all);
  return findings.find(
    (finding): finding is LiveFinding => finding.result === "live" && holds(finding.roots, folder),
  );
}

const variables = ["CODEX_HOME", "TMPDIR"];

function examineEnvironment(env: Terminal["host"]["env"]): Step {
  const set = variables.flatMap((name) => (env[name] ? [`${name}=${env[name]}`] : []));
  return ok("environment", ...(set.length === 0 ? ["none is set"] : set));
}

/** With a damaged one it does not start. */
function examineSettings(file: string): Step {
  if (!existsSync(file)) return ok("settings", "no settings file: all defaults");
  try {
    parse(readFileSync(file, "utf8"));
    return ok("settings", `${file}: read`);
  } catch (error) {
    const [fault = ""] = messageOf(error).split("\n");
    const place = error instanceof TomlError ? `, line ${error.line}` : "";
    const evidence = `${file}${place}: ${fault}`;
    return failed("settings", [evidence, "it does not start with this"], `Fix ${file}${place}.`);
  }
}

/** Why the CLI passes a socket over. */
interface Fault {
  readonly reason: string;
  /** What to do about it; the usual one where nothing is in the way. */
  readonly remedy?: string;
}

/** By the CLI's own checks, which it makes before it connects. */
function whyRefused(address: string, platform: NodeJS.Platform): Fault | undefined {
  if (platform === "win32") return undefined;
  const folder = path.dirname(address);
  const [own, length] = [ownUid(), Buffer.byteLength(address)];
  if (length > maxSocketPath(platform)) {
    return {
      reason: `its path has ${length} bytes, and a socket's has at most ${maxSocketPath(platform)}`,
      remedy: `Choose a shorter folder than ${folder}, by CODEX_HOME or TMPDIR.`,
    };
  }
  const parent = lstatSync(folder, { throwIfNoEntry: false });
  if (!parent) return { reason: "there is none" };
  if (!parent.isDirectory()) {
    return { reason: `${folder} is no folder`, remedy: `Remove ${folder}, and restart the companion.` };
  }
  if (parent.uid !== own) {
    return {
      reason: `${folder} belongs to user ${parent.uid}, and you are user ${own}`,
      remedy: `Have ${folder} removed, or set CODEX_HOME to a folder of yours.`,
    };
  }
  if (parent.mode & 0o022) {
    const mode = (parent.mode & 0o777).toString(8);
    return { reason: `others may write to ${folder}: its mode is ${mode}`, remedy: `chmod 700 ${folder}` };
  }
  const socket = lstatSync(address, { throwIfNoEntry: false });
  if (!socket) return { reason: "there is none" };
  if (!socket.isSocket()) {
    return { reason: "it is no socket", remedy: `Remove ${address}, and restart the companion.` };
  }
  if (socket.uid !== own) {
    return { reason: `it belongs to user ${socket.uid}`, remedy: `Have ${address} removed.` };
  }
  return undefined;
}

/** One that it may use is enough. */
function examineSockets(
  judged: readonly { readonly address: string; readonly fault: Fault | undefined }[],
  remedy: string,
  platform: NodeJS.Platform,
): Step {
  const usable = platform === "win32" ? "whose it is cannot be seen" : "is yours alone";
  const evidence = judged.map(({ address, fault }) => `${address}: ${fault?.reason ?? usable}`);
  if (judged.some(({ fault }) => fault === undefined)) return ok("socket", ...evidence);
  return failed("socket", evidence, judged.find(({ fault }) => fault?.remedy)?.fault?.remedy ?? remedy);
}

interface Remedies {
  readonly start: string;
  readonly restart: string;
  readonly companion: LiveFinding | undefined;
}

async function examineAnswer(address: string, folder: string, remedies: Remedies): Promise<Step> {
  const { start, restart, companion } = remedies;
  const answer = await askForContext(address, folder, ownId);
  switch (answer.kind) {
    case "context":
      return ok("answer", `the context of this folder, after ${Math.round(answer.milliseconds)} ms`);
    case "unreachable":
      return failed("answer", [answer.reason], companion ? restart : start);
    case "silent":
      return failed(
        "answer",
        [`the program that listens on ${address} says nothing`],
        `Restart the program that listens on ${address}: an editor, or Codex's own app.`,
      );
    case "refused": {
      const words = `${answer.error}: the program that listens, which may be another editor or Codex's own app`;
      if (!companion) return failed("answer", [`${words}, knows nobody for this folder`], start);
      const here = "a companion of this folder runs, and does not take part";
      return failed("answer", [`${words}, knows nobody for this folder`, here], restart);
    }
  }
}
