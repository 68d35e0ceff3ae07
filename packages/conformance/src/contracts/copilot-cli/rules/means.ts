import { basename } from "node:path";
import type { CommonMeans } from "../../../run/subject.ts";
import type { RawConnection } from "../../../wire/http.ts";
import { isJson, type Json, parseJson } from "../../../wire/json-rpc.ts";
import { demand, quote, textsOf, until } from "../../check.ts";
import type { Rules } from "../../rule.ts";
import type { Cli, Pending } from "../cli.ts";
import type { CopilotFault } from "../faults.ts";
import type { CopilotTarget, StartedCopilot } from "../lock-file.ts";

/** What a check of this contract may use. */
export interface Means extends CommonMeans<StartedCopilot> {
  readonly target: CopilotTarget;
  /** A CLI that has sent nothing. @param ownId that of another one that comes again */
  newCli(target?: CopilotTarget, ownId?: string): Cli;
  /** A CLI that has a stream and has listed the tools. */
  connect(target?: CopilotTarget): Promise<Cli>;
  /** A connection on which anything at all can be sent. */
  raw(): Promise<RawConnection>;
}

export type CopilotGroup = Rules<Means, CopilotFault>;

/** A question that waits for the user. */
export interface Proposal {
  readonly tab: string;
  readonly path: string;
  readonly call: Pending;
}

export const before = "one\ntwo\n";
const proposed = "one\n2\n";

let tabs = 0;

/** Calls `open_diff` as the CLI does. @param tab its name; a new one unless given */
export function propose(cli: Cli, path: string, text = proposed, tab = newTab(path)): Proposal {
  const input = { original_file_path: path, new_file_contents: text, tab_name: tab };
  return { tab, path, call: cli.start("open_diff", input) };
}

/** Waits until the user sees it. */
export async function proposeAndShow(means: Means, cli: Cli, path: string, tab?: string): Promise<Proposal> {
  const { editor, limits, hasEditor } = means;
  const proposal = propose(cli, path, proposed, tab);
  const { call } = proposal;
  const isOver = () => call.answers.length > 0 || call.failure !== undefined;
  if (hasEditor) {
    await until(async () => isOver() || (await editor.shows(path)), limits.event);
    demand(await editor.shows(path), `the diff of ${path} is not shown; ${said(call)}`);
  }
  return proposal;
}

let asked = 0;

/** A question about a file that is there, shown to the user. Editors may show its name alone: no other has it. */
export async function ask(means: Means, asking?: Cli) {
  asked += 1;
  const cli = asking ?? (await means.connect());
  const path = await means.write(`asked-${String(asked).padStart(3, "0")}.txt`, before);
  return { cli, path, proposal: await proposeAndShow(means, cli, path) };
}

/** The decision in an answer. @throws Broken when there is none in time */
export async function decisionOf({ call }: Proposal, within: number): Promise<Json> {
  const [text = ""] = textsOf(await call.answer(within), "open_diff");
  const decision = parseJson(text);
  demand(isJson(decision), `the text is no JSON object: ${text.slice(0, 200)}`);
  return decision;
}

/** @throws Broken when the decision is another one */
export async function demandResult(proposal: Proposal, wanted: string, within: number): Promise<void> {
  const { result } = await decisionOf(proposal, within);
  demand(result === wanted, `the result is ${quote(result)}, not "${wanted}"`);
}

export const closeDiff = (cli: Cli, tab: string) => cli.call("close_diff", { tab_name: tab });

/** For messages: what has come, without texts of files. */
export function said({ answers, failure }: Pending): string {
  if (failure !== undefined) return `it failed: ${failure}`;
  return answers.length === 0 ? "nothing was answered" : `answered ${quote(answers[0]).slice(0, 200)}`;
}

function newTab(path: string): string {
  tabs += 1;
  return `[Copilot CLI] - ${basename(path)} (${tabs.toString(16).padStart(6, "0")})`;
}
