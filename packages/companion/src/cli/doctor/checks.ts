import type { SettingsFindings } from "../../agents/doctor/checked-cli.ts";
import { toUnset } from "../../agents/doctor/environment.ts";
import { type Finding, failed, note, ok, type Step, unknown } from "../../agents/doctor/finding.ts";
import { isOlder, toRenaming, toStartCommand } from "../../agents/installed-cli.ts";
import { holds } from "../../files/workspace-path.ts";
import { toShellWord } from "../../system/shell-word.ts";
import { type Candidate, type Facts, findNamedPort, isNamedBy, toIdeName } from "./facts.ts";
import { judgeRunning } from "./running.ts";

/** @returns undefined where the question is none for this CLI */
type Judge = (facts: Facts) => Finding | undefined;

/** What a CLI needs to connect and to show its diffs, in the order in which people solve it. The same for all CLIs. */
const checks: readonly (Pick<Step, "id" | "title"> & { readonly judge: Judge })[] = [
  { id: "program", title: "Program", judge: judgeProgram },
  { id: "settings", title: "Settings", judge: bySettings("settings") },
  { id: "ide-mode", title: "IDE mode", judge: bySettings("ide-mode") },
  { id: "approval", title: "Asks before it writes", judge: bySettings("approval") },
  { id: "diffs", title: "Diffs in the editor", judge: bySettings("diffs") },
  { id: "hooks", title: "Hooks", judge: bySettings("hooks") },
  { id: "sandbox", title: "Sandbox", judge: bySettings("sandbox") },
  { id: "variables", title: "Variables", judge: judgeVariables },
  { id: "companion", title: "Companion", judge: judgeCompanion },
  { id: "ide", title: "Name of the IDE", judge: judgeName },
  { id: "connection", title: "Connection", judge: judgeConnection },
  { id: "tools", title: "Tools", judge: judgeTools },
  { id: "trust", title: "Trust", judge: judgeTrust },
  { id: "running", title: "Running CLIs", judge: judgeRunning },
];

/** Answers every question by what was found. */
export const judge = (facts: Facts): readonly Step[] =>
  checks.flatMap(({ id, title, judge }) => {
    const finding = judge(facts);
    return finding === undefined ? [] : [{ id, title, ...finding }];
  });

function judgeProgram({ agent, cli, installed, tooOldNode }: Facts): Finding {
  if (installed === undefined) {
    return failed(`Install it: ${agent.installCommand}`, `there is no ${agent.command} in your PATH`);
  }
  const { file, package: found } = installed;
  const { oldestVersion, needsOldest, knownVersion } = cli;
  if (found === undefined) return note(file, `its version is unknown: it must be ${oldestVersion} or later`);
  const { version } = found;
  const evidence = `${version}, ${file}`;
  if (isOlder(version, oldestVersion)) {
    const older = `versions before ${oldestVersion}`;
    if (!needsOldest) return note(evidence, `${older} have not been tried`);
    return failed(
      `Update it: ${agent.installCommand}@latest`,
      evidence,
      `${older} do not connect everywhere`,
    );
  }
  // It may run all the same: nothing but its author's word is against it.
  if (tooOldNode)
    return note(evidence, `it asks for Node ${tooOldNode.needed}, and finds ${tooOldNode.version}`);
  if (version === knownVersion) return ok(evidence);
  return note(evidence, `what is said of its settings is true of version ${knownVersion}`);
}

/** What the CLI's settings say. When one of its files cannot be read, nothing that they decide is known. */
function bySettings(id: keyof SettingsFindings): Judge {
  return ({ settings }) => {
    const isBroken = settings.settings?.result === "failed" && id !== "settings";
    return settings[id] && isBroken ? unknown() : settings[id];
  };
}

/** Whether this terminal's variables say something else than the records. */
function judgeVariables({ agent, cli, place, chosen }: Facts): Finding {
  const { host, sources = {} } = place;
  const from = (name: string) => (sources[name] === undefined ? "" : `, from ${sources[name]}`);
  // What moves its folders is worth a word where nobody would look for it.
  const moving = cli.folderVariables.filter((name) => sources[name] !== undefined);
  const all = [...Object.values(agent.variables), ...cli.variables, ...moving];
  const evidence = [...new Set(all)].flatMap((name) => {
    const value = host.env[name];
    if (!value) return [];
    return name === agent.variables.token
      ? [`${name} is set${from(name)}`]
      : [`${name}=${value}${from(name)}`];
  });
  const named = findNamedPort(agent, place);
  if (named && chosen?.isFile && String(chosen.port) !== named.port) {
    return note(...evidence, `no companion of this folder has the port ${named.port}: the folder counts`);
  }
  return ok(...(evidence.length === 0 ? ["none is set"] : evidence));
}

/** Whether a companion has this folder open, where the CLI looks. */
function judgeCompanion(facts: Facts): Finding {
  const { agent, records, candidates, chosen } = facts;
  const evidence = records.map(({ source, isFile, fault, roots = [] }) => {
    const passedOver = isFile && fault !== undefined ? " is passed over" : "";
    return `${source}${passedOver}: ${fault ?? roots.join(", ")}`;
  });
  if (chosen === undefined) return judgeNone(facts, evidence);
  const serving = candidates.filter(({ isForFolder }) => isForFolder);
  if (!chosen.isForFolder) {
    const named = `${agent.variables.port} names ${toName(chosen)}`;
    const open = `it has ${chosen.roots?.join(", ") || "no folder"} open, and not this folder: it shows no diffs of it`;
    return failed(serving.length > 0 ? toRun(facts) : toStart(facts), ...evidence, named, open);
  }
  const isNamed = isNamedBy(facts, chosen);
  if (serving.length === 1 || isNamed) return ok(...evidence);
  const several = `${serving.length} have this folder open: ${serving.map(toName).join(", ")}`;
  return agent.choosesNone
    ? failed(toRun(facts), ...evidence, several, "it connects to none of them alone")
    : note(...evidence, `${several}; the CLI takes one of them`);
}

function judgeNone(facts: Facts, evidence: readonly string[]): Finding {
  const { agent, records, place } = facts;
  const above = records.find(({ isAbove }) => isAbove);
  if (above) {
    const root = above.roots?.find((one) => holds([one], place.folder));
    const remedy = `Start it in ${root}, or type ${agent.connectCommand} in it and choose ${above.ide}.`;
    return failed(remedy, ...evidence, "it connects at its start only in an open folder itself");
  }
  // What `run` sets comes before all that the CLI has against a file.
  const isPassedOver = agent.choosesNone && records.some(({ isForFolder }) => isForFolder);
  const shown = evidence.length === 0 ? ["none has this folder open"] : evidence;
  return failed(isPassedOver ? toRun(facts) : toStart(facts), ...shown);
}

const toName = ({ ide, port, source }: Candidate) =>
  `${ide ?? "an editor"}${port === undefined ? ` (${source})` : ` on port ${port}`}`;

/** A CLI that has to know its IDE learns it from the record, or from the terminal. */
function judgeName({ agent, cli, place, chosen }: Facts): Finding | undefined {
  if (cli.terminalSign === undefined) return undefined;
  if (chosen === undefined) return unknown();
  if (chosen.ide !== undefined) return ok(`${chosen.ide}: ${chosen.source} says so`);
  const sign = cli.terminalSign(place.host.env);
  if (sign !== undefined) return ok(`this terminal is one of an IDE: ${sign}`);
  const variable = place.platform === "win32" ? "set TERM_PROGRAM=vscode, then " : "TERM_PROGRAM=vscode ";
  return failed(
    `Start the CLI as one in a known terminal: ${variable}${agent.command}`,
    `${chosen.source} does not name its IDE`,
    "nothing in this terminal speaks for an IDE that the CLI knows",
  );
}

/** Whether the companion answers, and takes the token that the CLI sends. */
function judgeConnection(facts: Facts): Finding {
  const { agent, cli, candidates, chosen } = facts;
  if (chosen === undefined) return unknown();
  const { answer, source, isFile } = chosen;
  const { evidence } = answer;
  switch (answer.kind) {
    case "unknown":
      return unknown(evidence);
    case "unseen":
      return failed(`Let it look inside the container: ide-companion run ${agent.name}`, evidence);
    case "refused":
    case "silent":
      return failed(answer.remedy ?? toRestart(facts), evidence);
    case "nowhere":
      return failed(
        answer.remedy ?? (isFile ? `${toRemoval(source)}; then s${toStart(facts).slice(1)}` : toStart(facts)),
        evidence,
      );
    case "taken": {
      const wrong = candidates.find((one) => one.isFile && one.isForFolder && one.answer.kind === "nowhere");
      if (wrong === undefined || agent.choosesNone) return ok(evidence);
      // Only the CLI knows its order: it may take the one as well as the other.
      const found = [evidence, `${wrong.source}: ${wrong.answer.evidence}`];
      const isHarmless = cli.triesAll || isNamedBy(facts, chosen);
      return isHarmless ? note(...found) : failed(toRemoval(wrong.source), ...found);
    }
  }
}

/** Whether it can show diffs. */
function judgeTools(facts: Facts): Finding | undefined {
  const tools = facts.chosen?.answer.tools;
  if (tools === undefined) return undefined;
  const missing = ["openDiff", "closeDiff"].filter((name) => !tools.includes(name));
  if (missing.length === 0) return ok(tools.join(", "));
  return failed(
    `Update the companion of ${toIdeName(facts)}: without both tools the CLI shows its diffs in the terminal.`,
    `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} missing; there is ${tools.join(", ") || "none"}`,
  );
}

/** Where IDE and CLI differ, the CLI takes no more input: it wants to be restarted, again and again. */
function judgeTrust(facts: Facts): Finding | undefined {
  const { cli, place, chosen } = facts;
  const sent = chosen?.answer.isTrusted;
  if (sent === undefined) return undefined;
  const name = toIdeName(facts);
  const opinion = `${name} says that this workspace is ${sent ? "" : "not "}trusted`;
  const own = cli.trusts?.(place);
  if (own === undefined) return ok(opinion, "the CLI trusts every folder");
  if (own.isTrusted === sent) return ok(opinion, "so does the CLI");
  // Its slash command cannot be typed: it takes every key for the answer to its question.
  const remedy = sent
    ? `Trust this folder in the CLI as well: set ${JSON.stringify(place.folder)}: "TRUST_FOLDER" in ${own.file}, and restart the CLI.`
    : `Trust the workspace in ${name}.`;
  return failed(remedy, opinion, "the CLI does not agree, and takes no input");
}

const toRun = ({ agent }: Facts): string => `Start it by: ide-companion run ${agent.name}`;

const toRestart = (facts: Facts): string =>
  `Restart the companion of ${toIdeName(facts)}: it then writes its files again.`;

const toRemoval = (file: string): string => `Remove the file that leads nowhere: rm ${toShellWord(file)}`;

/**
 * What gives the CLI a companion of its folder: to look where the folder's companion has its files; a path that a list
 * of paths can hold; a folder in the one editor that has none; or else a companion of ours.
 */
function toStart(facts: Facts): string {
  const { agent, place, misplaced, records } = facts;
  const { folder, host, platform } = place;
  // Where no list can hold the folder, the place of the files is not the cause.
  const renaming = agent.variables.workspace === undefined ? undefined : toRenaming(folder, host, platform);
  if (renaming !== undefined)
    return `Take the "${host.delimiter}" out of this folder's path, at which agent CLIs split it: ${renaming}`;
  if (misplaced) return toPlace(facts, misplaced);
  const [only, ...others] = records.filter(({ roots }) => roots !== undefined);
  if (only?.roots?.length === 0 && others.length === 0)
    return `Open ${folder} in ${only.ide ?? "your editor"}.`;
  return `Start a companion for this folder: ${toStartCommand(folder, host, platform)}`;
}

function toPlace({ agent, place }: Facts, { name, value }: NonNullable<Facts["misplaced"]>): string {
  if (place.sources?.[name] !== undefined) return toUnset(name, place.sources);
  return value === undefined
    ? `Start the CLI without ${name}, as the companion was: env -u ${name} ${agent.command}`
    : `Start the CLI with ${name} as the companion has it: ${name}=${toShellWord(value)} ${agent.command}`;
}
