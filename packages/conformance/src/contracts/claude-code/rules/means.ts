import { demand, quote, textsOf, Unconnected } from "../../check.ts";
import type { GivenMeans } from "../../contract.ts";
import type { Fault } from "../../fault.ts";
import { createQuestions, decisionChecks, type Proposal, tabChecks } from "../../question.ts";
import type { Rules } from "../../rule.ts";
import type { ClaudeTarget } from "../lock-file.ts";
import { Cli } from "../wire/cli.ts";
import { type Upgrade, upgrade } from "../wire/frame-socket.ts";

/** What a check of this contract may use. */
export type Means = ReturnType<typeof createMeans>;

export function createMeans({ common, clis, evidence }: GivenMeans<ClaudeTarget>) {
  const { limits, target: own } = common;
  /** A CLI that has not opened its socket. @param target the companion under test, or one that the check has started */
  const newCli = ({ port, token }: ClaudeTarget = own): Cli => {
    const { onUnanswered } = clis;
    const cli = new Cli({ port, token, evidence, answerWithin: limits.answer, onUnanswered });
    // As CLIs that exit: the companion takes their diffs away.
    clis.add(() => cli.close());
    return cli;
  };
  return {
    ...common,
    newCli,
    /** A CLI that has listed the tools. */
    async connect(to?: ClaudeTarget): Promise<Cli> {
      const cli = newCli(to);
      await Unconnected.unless(cli.open().then(() => cli.greet()));
      return cli;
    },
    /** An upgrade with these headers. */
    async knock(headers: Readonly<Record<string, string>>): Promise<Upgrade> {
      evidence.note(`→ upgrade with ${JSON.stringify(headers)}`);
      const answer = await upgrade({ port: own.port, headers, within: limits.answer, onText: () => {} });
      evidence.note(`← ${answer.status}`);
      answer.socket?.cut();
      return answer;
    },
  };
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
