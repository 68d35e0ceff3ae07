import type { CommonMeans } from "../../../run/subject.ts";
import type { RawConnection } from "../../../wire/http.ts";
import { isJson, type Json, parseJson } from "../../../wire/json-rpc.ts";
import { demand, quote, textsOf } from "../../check.ts";
import { createQuestions, decisionChecks, type Proposal, tabChecks } from "../../question.ts";
import type { Rules } from "../../rule.ts";
import type { Cli } from "../cli.ts";
import type { CopilotFault } from "../faults.ts";
import type { CopilotTarget } from "../lock-file.ts";

/** What a check of this contract may use. */
export interface Means extends CommonMeans<CopilotTarget> {
  /** A CLI that has sent nothing. @param ownId that of another one that comes again */
  newCli(target?: CopilotTarget, ownId?: string): Cli;
  /** A CLI that has a stream and has listed the tools. */
  connect(target?: CopilotTarget): Promise<Cli>;
  /** A connection on which anything at all can be sent. */
  raw(): Promise<RawConnection>;
}

export type CopilotGroup = Rules<Means, CopilotFault>;

const questions = createQuestions<Cli>({
  tabOf: (file, number) => `[Copilot CLI] - ${file} (${number})`,
  open: (cli, { tab, path, text }) =>
    cli.start("open_diff", { original_file_path: path, new_file_contents: text, tab_name: tab }),
});

export const { propose, proposeAndShow, ask } = questions;

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

export const checks = {
  ...decisionChecks<Cli>(questions, (proposal, within) => demandResult(proposal, "SAVED", within)),
  ...tabChecks<Cli>(questions, "close_diff", closeDiff),
};
