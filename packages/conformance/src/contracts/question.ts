import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CommonMeans } from "../run/subject.ts";
import { until } from "../until.ts";
import type { Json } from "../wire/json-rpc.ts";
import { byUser, demand, quote } from "./check.ts";
import { type Fault, nameOf, refusing } from "./fault.ts";

/** A call that was not answered yet, or was. */
export interface Pending {
  /** All answers that have come so far. */
  readonly answers: readonly Json[];
  /** Why none can come any more. */
  readonly failure?: string | undefined;
  /** @throws Broken when none comes in time */
  answer(within?: number): Promise<Json>;
}

/** An open question of a CLI: a text that it proposes for a file, in a tab with a name. */
export interface Proposal {
  readonly tab: string;
  readonly path: string;
  readonly text: string;
  readonly call: Pending;
}

/** How CLIs ask in the editor. */
interface Asking<Cli> {
  /** The name of a tab. @param number that no other one has */
  tabOf(file: string, number: string): string;
  /** Calls the tool that shows a diff. */
  open(cli: Cli, proposal: Omit<Proposal, "call">): Pending;
}

/** What checks of connected CLIs use. */
export type Connecting<Cli> = CommonMeans<unknown> & { connect(): Promise<Cli> };

/** The text of a file, and the one that is proposed for it. */
export const before = "one\ntwo\n";
export const proposed = "one\n2\n";

/** For messages: what has come, without texts of files. */
export function said({ answers, failure }: Pending): string {
  if (failure !== undefined) return `it failed: ${failure}`;
  return answers.length === 0 ? "nothing was answered" : `answered ${quote(answers[0]).slice(0, 200)}`;
}

export const isOver = ({ answers, failure }: Pick<Pending, "answers" | "failure">): boolean =>
  answers.length > 0 || failure !== undefined;

/** @throws Broken when the diff of a file is still shown. @param when for the message */
export async function demandGone(
  { editor, limits, hasEditor }: Pick<CommonMeans<unknown>, "editor" | "limits" | "hasEditor">,
  path: string,
  when: string,
  within = limits.event,
): Promise<void> {
  if (!hasEditor) return;
  // Not too often: each look may start a program.
  const isGone = await until(async () => !(await editor.shows(path)), within, 100);
  demand(isGone === true, `the diff is still shown ${when}`);
}

/** Asks as the CLIs of a contract do. */
export function createQuestions<Cli>({ tabOf, open }: Asking<Cli>) {
  let count = 0;
  const newTab = (path: string) => {
    count += 1;
    return tabOf(basename(path), count.toString(16).padStart(6, "0"));
  };
  /** @param tab its name; a new one unless given */
  const propose = (cli: Cli, path: string, text = proposed, tab = newTab(path)): Proposal => {
    const proposal = { tab, path, text };
    return { ...proposal, call: open(cli, proposal) };
  };
  /** Waits until the user sees it. */
  const proposeAndShow = async (
    { editor, limits, hasEditor }: Omit<Connecting<Cli>, "connect">,
    cli: Cli,
    path: string,
    text = proposed,
  ): Promise<Proposal> => {
    const proposal = propose(cli, path, text);
    if (hasEditor) {
      await until(async () => isOver(proposal.call) || (await editor.shows(path)), limits.event);
      demand(await editor.shows(path), `the diff of ${path} is not shown; ${said(proposal.call)}`);
    }
    return proposal;
  };
  /** A question about a file that is there, shown to the user. Editors may show its name alone: no other has it. */
  const ask = async (means: Connecting<Cli>, asking?: Cli) => {
    const cli = asking ?? (await means.connect());
    count += 1;
    const path = await means.write(`asked-${String(count).padStart(3, "0")}.txt`, before);
    return { cli, path, proposal: await proposeAndShow(means, cli, path) };
  };
  return { propose, proposeAndShow, ask };
}

export type Questions<Cli> = ReturnType<typeof createQuestions<Cli>>;

/**
 * What proves that a decision is all that a companion makes of an acceptance.
 * @param demandAccepted throws unless the answer says in time that the user has accepted
 */
export function decisionChecks<Cli>(
  { proposeAndShow, ask }: Questions<Cli>,
  demandAccepted: (proposal: Proposal, within: number) => Promise<void>,
) {
  return {
    untouched: {
      check: "file-untouched",
      ...byUser,
      async run(means: Connecting<Cli>) {
        const { path, proposal } = await ask(means);
        await means.editor.accept(path);
        await demandAccepted(proposal, means.limits.event);
        await delay(means.limits.quiet);
        demand(
          (await readFile(path, "utf8")) === before,
          "the file has changed before the CLI has written it",
        );
      },
    },
    newFile: {
      check: "new-file",
      ...byUser,
      async run(means: Connecting<Cli>) {
        const path = means.path("new/folder/new-file.txt");
        const proposal = await proposeAndShow(means, await means.connect(), path);
        await means.editor.accept(path);
        await demandAccepted(proposal, means.limits.event);
      },
      fault: {
        up: refusing(
          ({ new_file_path, original_file_path }) =>
            !existsSync(dirname(new_file_path ?? original_file_path ?? "")),
          "no such folder",
        ),
        says: /is not shown; answered .*no such folder/,
      },
    },
  };
}

/** What proves which diffs are shown, and for how long. @param closing the tool that takes one away */
export function tabChecks<Cli>(
  { propose, proposeAndShow, ask }: Questions<Cli>,
  closing: string,
  close: (cli: Cli, tab: string) => Promise<unknown>,
) {
  return {
    large: (demandOpen: (means: Connecting<Cli>, cli: Cli, proposal: Proposal) => Promise<void>) => ({
      check: "large-proposal",
      lane: "proposals" as const,
      async run(means: Connecting<Cli>) {
        const cli = await means.connect();
        const text = "const value = 1;\n".repeat(300_000);
        const proposal = propose(cli, await means.write("large.js", before), text);
        await until(() => isOver(proposal.call), means.limits.quiet);
        demand(!isOver(proposal.call), said(proposal.call));
        await demandOpen(means, cli, proposal);
      },
      fault: {
        up: refusing(({ new_file_contents: text = "" }) => text.length > 1_000_000, "too large"),
        says: /answered .*too large/,
      },
    }),
    sameTab: {
      check: "same-tab",
      lane: "proposals" as const,
      async run(means: Connecting<Cli>) {
        const [one, other] = [await means.connect(), await means.connect()];
        const proposal = await proposeAndShow(means, one, await means.write("d.txt", before));
        await close(other, proposal.tab);
        await delay(means.limits.quiet);
        const { path, call } = proposal;
        demand(!isOver(call), `after ${closing} of another CLI: ${said(call)}`);
        if (means.hasEditor) demand(await means.editor.shows(path), "another CLI has closed the diff");
        await close(one, proposal.tab);
      },
      fault: {
        up(message, { all, memory }) {
          const others = all.filter((link) => link.memory !== memory);
          if (message && nameOf(message) === closing) for (const link of others) link.ask(message);
          return message;
        },
        says: /of another CLI: answered/,
      } satisfies Fault,
    },
    /** @param leave what a CLI does @param when for the message */
    gone: (leave: (cli: Cli) => void, when: string) => ({
      ...byUser,
      async run(means: Connecting<Cli>) {
        const { cli, path } = await ask(means);
        leave(cli);
        await demandGone(means, path, when, means.limits.reaping);
      },
      fault: { keepsOpen: true as const, says: new RegExp(`still shown ${when}`) },
    }),
  };
}
