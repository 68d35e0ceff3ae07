#!/usr/bin/env node
import { access, constants, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { WriteStream } from "node:tty";
import { stripVTControlCharacters } from "node:util";
import { agentChoices, defaultAgent } from "../agents.ts";
import type { CheckHead } from "../contracts/check.ts";
import { type Contract, contractOf } from "../contracts/index.ts";
import { createPaint, widthOf } from "../report/paint.ts";
import { isGood, type Report, toJson } from "../report/report.ts";
import { describeReport } from "../report/terminal.ts";
import type { Progress } from "../run/lanes.ts";
import { createCleanup } from "../run/subject.ts";
import { killEverything } from "../target/process.ts";
import { describeHelp, describeRules } from "./help.ts";
import { type Arguments, parseArguments, UsageError } from "./options.ts";
import { NoCompanion } from "./subject.ts";

const exitCodes = { good: 0, broken: 1, usage: 2, none: 3 } as const;

const cleanup = createCleanup();
for (const [signal, number] of [
  ["SIGINT", 2],
  ["SIGTERM", 15],
  ["SIGHUP", 1],
] as const) {
  const exit = () => process.exit(128 + number);
  process.once(signal, () => {
    process.stderr.write("ending what was started; once more kills it\n");
    process.once(signal, () => {
      killEverything();
      exit();
    });
    void cleanup.close().finally(exit);
  });
}
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    // Who reads may leave early, as `head` does. In any case the companions that were started have to be ended.
    if (error.code === "EPIPE") return;
    process.once("exit", () => {
      process.exitCode = explain(error);
    });
  });
}
process.exitCode = await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<number> {
  try {
    const args = parseArguments(words);
    if (args.has("help")) return say(describeHelp(createPaint(process.stdout)));
    if (args.has("list")) return say(`${describeRules(chooseContract(args))}\n`);
    if (args.has("version")) return say(`${await version()}\n`);
    return await check(args);
  } catch (error) {
    return explain(error);
  }
}

/** @returns the exit code */
function explain(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error);
  const paint = createPaint(process.stderr);
  process.stderr.write(`${paint.red("error:")} ${message}\n`);
  if (error instanceof NoCompanion) return exitCodes.none;
  if (error instanceof UsageError) process.stderr.write(paint.dim("See ide-companion-conformance --help\n"));
  return exitCodes.usage;
}

function say(text: string): number {
  process.stdout.write(text);
  return exitCodes.good;
}

async function version(): Promise<string> {
  const { version: own } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  return String(own);
}

async function check(args: Arguments): Promise<number> {
  const contract = chooseContract(args);
  const chosen = chooseChecks(args, contract);
  const path = args.value("json");
  if (path !== undefined && path !== "-") await checkFolder(path);
  const started = new Date();
  const progress = createProgress(process.stderr);
  try {
    const subject = await contract.open(args, cleanup);
    const ids = new Set(chosen.map(({ id }) => id));
    const results = await subject.run(ids, progress.show);
    progress.clear();
    const isWhole = results.every(({ status }) => status === "passed");
    const ended = isWhole ? undefined : await subject.lastWords();
    const report: Report = {
      ...(ended !== undefined && { ended }),
      companion: stripVTControlCharacters(subject.name).replace(/\p{Cc}+/gu, " "),
      address: subject.address,
      agents: subject.agents,
      startedAt: started.toISOString(),
      milliseconds: Date.now() - started.getTime(),
      results,
    };
    await writeReport(report, args, contract);
    return isGood(report, args.has("strict")) ? exitCodes.good : exitCodes.broken;
  } finally {
    progress.clear();
    await cleanup.close();
  }
}

/** The contract of the agent that is named. @throws UsageError for an agent that no contract is of */
function chooseContract(args: Arguments): Contract {
  const agent = args.value("agent") ?? defaultAgent;
  const contract = contractOf(agent);
  if (!contract) throw new UsageError(`--agent must be one of ${agentChoices.join(", ")}, got ${agent}`);
  return contract;
}

/** @throws UsageError for a group or a check that does not exist */
function chooseChecks(args: Arguments, { rules, checks }: Contract): readonly CheckHead[] {
  const [wantedGroups, wantedChecks] = [args.values("group"), args.values("check")];
  for (const name of wantedGroups) {
    if (!rules.titles.has(name))
      throw new UsageError(`--group must be one of ${[...rules.titles.keys()].join(", ")}, got ${name}`);
  }
  for (const name of wantedChecks) {
    if (!checks.some(({ id }) => id === name))
      throw new UsageError(`there is no check ${name}; --list shows all of them`);
  }
  if (wantedGroups.length + wantedChecks.length === 0) return checks;
  return checks.filter(
    ({ id, requirements: [first = ""] }) =>
      wantedChecks.includes(id) || wantedGroups.includes(rules.requirementOf(first).group),
  );
}

/** A run takes minutes: it is not to be lost for a folder that is missing. @throws UsageError that names it */
async function checkFolder(path: string): Promise<void> {
  const folder = dirname(resolve(path));
  await access(folder, constants.W_OK).catch(() => {
    throw new UsageError(`--json ${path} cannot be written: there is no folder ${folder} to write in`);
  });
}

async function writeReport(report: Report, args: Arguments, { rules }: Contract): Promise<void> {
  const path = args.value("json");
  // Standard output that a program reads must not hold text for people.
  const out = path === "-" ? process.stderr : process.stdout;
  const paint = createPaint(out);
  const width = widthOf(out);
  const options = { rules, paint, width, verbose: args.has("verbose"), strict: args.has("strict") };
  // First of all: a file may turn out not to be writable.
  out.write(`${describeReport(report, options)}\n`);
  if (path === "-") process.stdout.write(toJson(report, rules));
  else if (path !== undefined) await writeFile(path, toJson(report, rules));
}

/** Shows the progress in one line of a terminal; writes nothing elsewhere. */
function createProgress(stream: NodeJS.WritableStream & Partial<Pick<WriteStream, "isTTY" | "columns">>) {
  const write = (text: string) => {
    if (stream.isTTY === true) stream.write(`\r\x1b[K${text}`);
  };
  return {
    show({ done, of, running }: Progress): void {
      const line = `${done} of ${of}  ${running.join(" · ")}`;
      write(line.slice(0, (stream.columns || 80) - 1));
    },
    clear: () => write(""),
  };
}
