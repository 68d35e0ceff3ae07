import { basename } from "node:path";
import { demand } from "../../../assertions.ts";
import type { Json } from "../../../wire/json-rpc.ts";
import { type Cli, type Pending, textsOf, until } from "../wire/cli.ts";
import type { Means } from "./means.ts";

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
  answers.length === 0 ? "nothing was answered" : `answered ${JSON.stringify(answers[0]).slice(0, 200)}`;

function newTab(path: string): string {
  tabs += 1;
  return `✻ [Claude Code] ${basename(path)} (${tabs.toString(16).padStart(6, "0")}) ⧉`;
}
