import type { CommonMeans } from "../../../run/subject.ts";
import { demand, quote, textsOf } from "../../check.ts";
import type { Fault } from "../../fault.ts";
import { createQuestions, decisionChecks, type Proposal, tabChecks } from "../../question.ts";
import type { Rules } from "../../rule.ts";
import type { ClaudeTarget } from "../target/lock-file.ts";
import type { Cli } from "../wire/cli.ts";
import type { Upgrade } from "../wire/frame-socket.ts";

/** What a check of this contract may use. */
export interface Means extends CommonMeans<ClaudeTarget> {
  /** A CLI that has not opened its socket. @param target the companion under test, or one that the check has started */
  newCli(target?: ClaudeTarget): Cli;
  /** A CLI that has listed the tools. */
  connect(target?: ClaudeTarget): Promise<Cli>;
  /** An upgrade with these headers. */
  knock(headers: Readonly<Record<string, string>>): Promise<Upgrade>;
}

export type ClaudeGroup = Rules<Means, Fault>;

const questions = createQuestions<Cli>({
  tabOf: (file, number) => `✻ [Claude Code] ${file} (${number}) ⧉`,
  open: (cli, { tab, path, text }) =>
    cli.call("openDiff", {
      old_file_path: path,
      new_file_path: path,
      new_file_contents: text,
      tab_name: tab,
    }),
});

export const { proposeAndShow, ask } = questions;

/** The texts with which the question was answered. */
export async function answerTo({ call }: Proposal, within: number): Promise<readonly string[]> {
  return textsOf(await call.answer(within), "openDiff");
}

export const closeTab = (cli: Cli, tab: string) => cli.texts("close_tab", { tab_name: tab });

export const checks = {
  ...decisionChecks<Cli>(questions, async (proposal, within) => {
    const answer = await answerTo(proposal, within);
    const isAccepted = answer[0] === "FILE_SAVED" && answer[1] === proposal.text;
    demand(isAccepted, `it was answered ${quote(answer)}`);
  }),
  ...tabChecks<Cli>(questions, "close_tab", closeTab),
};
