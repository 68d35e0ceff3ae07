import type { Agent } from "../../agents/agent.ts";
import { agents, hookedAgents } from "../../agents/agents.ts";
import { type Finding, isSound, type Step } from "../../agents/doctor/finding.ts";
import type { Paint } from "../../core/paint.ts";
import { findExecutable } from "../../system/host.ts";
import { readProcessTable } from "../../system/processes/process-table.ts";
import { findAgent } from "../arguments.ts";
import { exitCodes, type Invocation } from "../invocation.ts";
import { wrapWords } from "../terminal/text.ts";
import { judge } from "./checks.ts";
import { gatherFacts, toIdeName } from "./facts.ts";

/** Tells what keeps agent CLIs from connecting in this terminal, and from showing their diffs. */
export async function runDoctor(invocation: Invocation): Promise<number> {
  const { arguments: given, host, folder, out } = invocation;
  const processes = await readProcessTable();
  const examined: Examined[] = [];
  for (const agent of chooseAgents(invocation)) {
    const facts = await gatherFacts(agent, { host, folder, processes });
    examined.push({ agent, folder, steps: judge(facts), ide: toIdeName(facts) });
  }
  if (given.has("json")) out.line(JSON.stringify(examined.map(toJson), null, 2));
  else {
    // Zero where a terminal has no size.
    const columns = out.isTerminal ? process.stdout.columns || widest : widest;
    const page = { home: host.home, columns: Math.min(columns, widest) };
    for (const [index, diagnosis] of examined.entries()) {
      if (index > 0) out.line();
      for (const line of describeDiagnosis(diagnosis, page, out.paint)) out.line(line);
    }
  }
  return examined.every(({ steps }) => isSound(steps)) ? exitCodes.ok : exitCodes.failure;
}

/** Characters in a line that is still easy to read. */
const widest = 110;

export interface Page {
  readonly home: string;
  /** Characters in a line of the terminal. */
  readonly columns: number;
}

/** A diagnosis for people, line by line. */
export function describeDiagnosis(diagnosis: Examined, page: Page, paint: Paint): readonly string[] {
  const { agent, folder, steps } = diagnosis;
  const titleWidth = Math.max(...steps.map(({ title }) => title.length));
  return [
    `${paint.bold(agent.displayName)}  ${paint.plain(shorten(folder, page.home))}`,
    "",
    ...steps.flatMap((step) => describeStep(step, titleWidth, page, paint)),
    "",
    conclude(diagnosis, paint),
  ];
}

/** One CLI in one folder. */
interface Examined {
  readonly agent: Agent;
  readonly folder: string;
  readonly steps: readonly Step[];
  /** The name for people of the editor that it would connect to. */
  readonly ide: string;
}

/** The one that is named, or else all that are installed, or else all: then each tells how to get it. */
function chooseAgents({ arguments: given, host }: Invocation) {
  const [name] = given.words;
  if (name !== undefined) return [findAgent(name, hookedAgents)];
  const installed = hookedAgents.filter(({ command }) => findExecutable(command, host) !== undefined);
  return installed.length === 0 ? agents : installed;
}

const toJson = ({ agent, folder, ide, steps }: Examined) => ({
  agent: agent.name,
  folder,
  sound: isSound(steps),
  ide,
  steps,
});

const marks: Readonly<Record<Finding["result"], readonly [mark: string, style: keyof Paint]>> = {
  ok: ["✓", "green"],
  note: ["!", "yellow"],
  failed: ["✗", "red"],
  unknown: ["·", "dim"],
};

function describeStep(
  { title, result, evidence, remedy }: Step,
  titleWidth: number,
  page: Page,
  paint: Paint,
): readonly string[] {
  const indent = titleWidth + 6;
  const [mark, style] = marks[result];
  const quiet = result === "ok" || result === "unknown";
  const texts = result === "unknown" ? ["not known", ...evidence] : evidence;
  const lines = texts.flatMap((text) => wrapWords(shorten(text, page.home), page.columns - indent));
  const head = `  ${paint[style](mark)} ${(quiet ? paint.plain : paint.bold)(title)}${" ".repeat(titleWidth - title.length + 2)}`;
  const body = lines.map((line) => (quiet ? paint.dim(line) : paint.plain(line)));
  const [first = "", ...rest] = body;
  return [
    `${head}${first}`,
    ...rest.map((line) => `${" ".repeat(indent)}${line}`),
    // Whole, wherever the terminal breaks it: with a line break of ours it could not be copied.
    ...(remedy === undefined ? [] : [`    ${paint.cyan(`→ ${shorten(remedy, page.home)}`)}`]),
  ];
}

function conclude({ agent, steps, ide }: Examined, paint: Paint): string {
  const { displayName, connectCommand, contextOnly } = agent;
  if (isSound(steps)) {
    const limit = steps.some(({ result }) => result === "unknown") ? "As far as is known, " : "";
    return paint.green(
      contextOnly
        ? `${connectCommand && `After ${connectCommand}, `}${displayName} asks ${ide} what you look at.`
        : `${limit}${displayName} connects to ${ide}, and shows its diffs there.`,
    );
  }
  const faults = steps.filter(({ result }) => result === "failed").length;
  const what = faults === 1 ? "One thing is wrong" : `${faults} things are wrong`;
  const effect = contextOnly ? "cannot ask what you look at" : "does not show its diffs in an IDE";
  return paint.red(`${what}: ${displayName} ${effect} here.`);
}

/** With a tilde for the home, except in quotation marks, where no shell takes it for one. */
function shorten(text: string, home: string): string {
  if (home.length <= 1) return text;
  const [first = "", ...others] = text.split(home);
  return others.reduce((done, next) => done + (isPathEnd(done, next) ? "~" : home) + next, first);
}

const isPathEnd = (before: string, after: string) => !/['"\w.-]$/.test(before) && /^([\\/]|$)/.test(after);
