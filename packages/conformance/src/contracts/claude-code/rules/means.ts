import { basename } from "node:path";
import type { CommonMeans } from "../../../run/subject.ts";
import type { Json } from "../../../wire/json-rpc.ts";
import { demand, quote, textsOf, until } from "../../check.ts";
import type { Fault } from "../../fault.ts";
import type { Rules } from "../../rule.ts";
import type { ClaudeTarget, StartedClaude } from "../target/lock-file.ts";
import type { Cli, Pending } from "../wire/cli.ts";
import type { Upgrade } from "../wire/frame-socket.ts";

/** What a check of this contract may use. */
export interface Means extends CommonMeans<StartedClaude> {
  readonly target: ClaudeTarget;
  /** A CLI that has not opened its socket. @param target the companion under test, or one that the check has started */
  newCli(target?: ClaudeTarget): Cli;
  /** A CLI that has listed the tools. */
  connect(target?: ClaudeTarget): Promise<Cli>;
  /** An upgrade with these headers. */
  knock(headers: Readonly<Record<string, string>>): Promise<Upgrade>;
}

export type ClaudeGroup = Rules<Means, Fault>;

let tabs = 0;

/** An open question of a CLI. */
export interface Proposal {
  readonly tab: string;
  readonly path: string;
  readonly text: string;
  readonly call: Pending;
}

/** Calls `openDiff` as the CLI does. @param tab its name; a new one unless given */
export function propose(cli: Cli, path: string, text: string, tab = newTab(path)): Proposal {
  const call = cli.call("openDiff", {
    old_file_path: path,
    new_file_path: path,
    new_file_contents: text,
    tab_name: tab,
  });
  return { tab, path, text, call };
}

/** Waits until the user sees it. */
export async function proposeAndShow(
  { editor, limits, hasEditor }: Means,
  cli: Cli,
  path: string,
  text: string,
): Promise<Proposal> {
  const proposal = propose(cli, path, text);
  if (hasEditor) {
    await until(async () => proposal.call.answers.length > 0 || (await editor.shows(path)), limits.event);
    demand(await editor.shows(path), `the diff of ${path} is not shown; ${said(proposal.call.answers)}`);
  }
  return proposal;
}

/** The texts with which the question was answered. */
export async function answerTo({ call }: Proposal, within: number): Promise<readonly string[]> {
  return textsOf(await call.answer(within), "openDiff");
}

export const closeTab = (cli: Cli, tab: string) => cli.texts("close_tab", { tab_name: tab });

/** For messages: what has come, without texts of files. */
export const said = (answers: readonly Json[]): string =>
  answers.length === 0 ? "nothing was answered" : `answered ${quote(answers[0]).slice(0, 200)}`;

function newTab(path: string): string {
  tabs += 1;
  return `✻ [Claude Code] ${basename(path)} (${tabs.toString(16).padStart(6, "0")}) ⧉`;
}

export const before = "one\ntwo\n";

export const proposed = "one\n2\n";

let asked = 0;

/** A question about a file that is there, shown to the user. Editors may show its name alone: no other has it. */
export async function ask(means: Means, cli?: Cli) {
  asked += 1;
  const asking = cli ?? (await means.connect());
  const path = await means.write(`asked-${asked}.txt`, before);
  return { cli: asking, path, proposal: await proposeAndShow(means, asking, path, proposed) };
}
