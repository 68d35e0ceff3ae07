import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { byUser, demand, until } from "../../check.ts";
import type { Cli } from "../wire/cli.ts";
import { answerTo, type ClaudeCheck, closeTab, type Means, propose, proposeAndShow, said } from "./means.ts";

const before = "one\ntwo\n";
const proposed = "one\n2\n";

let asked = 0;

/** A question about a file that is there, shown to the user. Editors may show its name alone: no other has it. */
async function ask(means: Means, cli?: Cli) {
  asked += 1;
  const asking = cli ?? (await means.connect());
  const path = await means.write(`asked-${asked}.txt`, before);
  return { cli: asking, path, proposal: await proposeAndShow(means, asking, path, proposed) };
}

const waits: ClaudeCheck = {
  id: "waits",
  title: "openDiff waits for the user",
  requirements: ["CP1"],
  ...byUser,
  async run(means) {
    const { cli, proposal } = await ask(means);
    await delay(means.limits.quiet);
    const { answers } = proposal.call;
    demand(answers.length === 0, `before the user has decided it was ${said(answers)}`);
    await closeTab(cli, proposal.tab);
  },
};

const accepted: ClaudeCheck = {
  id: "accepted",
  title: "an acceptance is answered FILE_SAVED, with the user's text",
  requirements: ["CP2"],
  ...byUser,
  async run(means) {
    const { path, proposal } = await ask(means);
    await means.editor.edit(path, "one\nmine\n");
    await means.editor.accept(path);
    const [first, second] = await answerTo(proposal, means.limits.event);
    demand(first === "FILE_SAVED", `the answer begins with ${JSON.stringify(first)}, not FILE_SAVED`);
    demand(second === "one\nmine\n", `the second text is ${JSON.stringify(second)}, not the user's`);
  },
};

const rejected: ClaudeCheck = {
  id: "rejected",
  title: "a rejection is answered DIFF_REJECTED",
  requirements: ["CP3"],
  ...byUser,
  async run(means) {
    const { path, proposal } = await ask(means);
    await means.editor.reject(path);
    const [first] = await answerTo(proposal, means.limits.event);
    demand(first === "DIFF_REJECTED", `the answer is ${JSON.stringify(first)}, not DIFF_REJECTED`);
  },
};

const closedView: ClaudeCheck = {
  id: "closed-view",
  title: "a diff that the user closes without a decision is rejected",
  requirements: ["CP4"],
  ...byUser,
  async run(means) {
    const { path, proposal } = await ask(means);
    await means.editor.close(path);
    const [first] = await answerTo(proposal, means.limits.event);
    demand(first === "DIFF_REJECTED", `the answer is ${JSON.stringify(first)}, not DIFF_REJECTED`);
  },
};

const fileUntouched: ClaudeCheck = {
  id: "file-untouched",
  title: "the companion leaves the file to the CLI",
  requirements: ["CP5"],
  ...byUser,
  async run(means) {
    const { path, proposal } = await ask(means);
    await means.editor.accept(path);
    await answerTo(proposal, means.limits.event);
    await delay(means.limits.quiet);
    demand((await readFile(path, "utf8")) === before, "the file has changed, and the CLI's own write fails");
  },
};

const tabClosed: ClaudeCheck = {
  id: "tab-closed",
  title: "close_tab takes the diff away, as often as it comes",
  requirements: ["CP6"],
  ...byUser,
  async run(means) {
    const { cli, path, proposal } = await ask(means);
    for (const tab of [proposal.tab, proposal.tab, "✻ [Claude Code] unknown (ffffff) ⧉"]) {
      const [text] = await closeTab(cli, tab);
      demand(text === "TAB_CLOSED", `close_tab was answered ${JSON.stringify(text)}, not TAB_CLOSED`);
    }
    await until(async () => !(await means.editor.shows(path)), means.limits.event);
    demand(!(await means.editor.shows(path)), "the diff is still shown after close_tab");
  },
};

const closedIsUndecided: ClaudeCheck = {
  id: "closed-is-undecided",
  title: "close_tab accepts nothing",
  requirements: ["CP7"],
  lane: "proposals",
  async run(means) {
    const { cli, proposal } = await ask(means);
    await closeTab(cli, proposal.tab);
    await until(() => proposal.call.answers.length > 0, means.limits.quiet);
    if (proposal.call.answers.length === 0) return;
    const [first] = await answerTo(proposal, means.limits.answer);
    demand(first === "DIFF_REJECTED", `openDiff was then answered ${JSON.stringify(first)}`);
  },
};

const ownTabsOnly: ClaudeCheck = {
  id: "own-tabs-only",
  title: "closeAllDiffTabs closes the diffs of the CLI that calls it",
  requirements: ["CP8"],
  lane: "proposals",
  async run(means) {
    const [one, other] = [await means.connect(), await means.connect()];
    const paths = [await means.write("b.txt", before), await means.write("c.txt", before)];
    const [first = "", second = ""] = paths;
    const kept = await proposeAndShow(means, one, first, proposed);
    await proposeAndShow(means, other, second, proposed);
    const [text] = await other.texts("closeAllDiffTabs", {});
    demand(text === "CLOSED_1_DIFF_TABS", `with one diff open it was answered ${JSON.stringify(text)}`);
    await delay(means.limits.quiet);
    const { answers } = kept.call;
    demand(answers.length === 0, `the question of another CLI was ${said(answers)}`);
    if (means.hasEditor) demand(await means.editor.shows(first), "the diff of another CLI is gone");
    await closeTab(one, kept.tab);
    const [none] = await one.texts("closeAllDiffTabs", {});
    demand(none === "CLOSED_0_DIFF_TABS", `without a diff it was answered ${JSON.stringify(none)}`);
  },
};

const sameTab: ClaudeCheck = {
  id: "same-tab",
  title: "a name of one CLI is not that of another",
  requirements: ["CP9"],
  lane: "proposals",
  async run(means) {
    const [one, other] = [await means.connect(), await means.connect()];
    const proposal = await proposeAndShow(means, one, await means.write("d.txt", before), proposed);
    await closeTab(other, proposal.tab);
    await delay(means.limits.quiet);
    const { answers } = proposal.call;
    demand(answers.length === 0, `after close_tab of another CLI the question was ${said(answers)}`);
    if (means.hasEditor) demand(await means.editor.shows(proposal.path), "another CLI has closed the diff");
    await closeTab(one, proposal.tab);
  },
};

const lostSocket: ClaudeCheck = {
  id: "lost-socket",
  title: "the diffs of a CLI that is gone are taken away",
  requirements: ["CP10"],
  ...byUser,
  async run(means) {
    const { cli, path } = await ask(means);
    cli.cut();
    await until(async () => !(await means.editor.shows(path)), means.limits.reaping);
    demand(!(await means.editor.shows(path)), "the diff is still shown after its socket has closed");
  },
};

const answeredOnce: ClaudeCheck = {
  id: "answered-once",
  title: "openDiff is answered once, also when close_tab follows",
  requirements: ["CP11"],
  ...byUser,
  async run(means) {
    const { cli, path, proposal } = await ask(means);
    await means.editor.accept(path);
    await answerTo(proposal, means.limits.event);
    await closeTab(cli, proposal.tab);
    await closeTab(cli, proposal.tab);
    await delay(means.limits.quiet);
    const { answers } = proposal.call;
    demand(answers.length === 1, `openDiff was answered ${answers.length} times`);
  },
};

/** Line ends and a mark are the CLI's to give back. */
const plain = (text: string | undefined) => text?.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");

const lineEnds: ClaudeCheck = {
  id: "line-ends",
  title: "what is accepted as proposed comes back as proposed, whatever line ends the file has",
  requirements: ["CP12"],
  ...byUser,
  async run(means) {
    const files = { "crlf.txt": "one\r\ntwo\r\n", "marked.txt": "\uFEFFone\ntwo\n", "open.txt": "one\ntwo" };
    const cli = await means.connect();
    for (const [name, content] of Object.entries(files)) {
      const path = await means.write(name, content);
      const text = content.replaceAll("\r\n", "\n").replace("two", "2");
      const proposal = await proposeAndShow(means, cli, path, text);
      await means.editor.accept(path);
      const [first, second] = await answerTo(proposal, means.limits.event);
      const isSame = first === "FILE_SAVED" && plain(second) === plain(text);
      demand(isSame, `for ${name} ${JSON.stringify(text)} came back as ${JSON.stringify(second)}`);
      await closeTab(cli, proposal.tab);
    }
  },
};

const newFile: ClaudeCheck = {
  id: "new-file",
  title: "a new file can be proposed in a folder that does not exist",
  requirements: ["CP13"],
  ...byUser,
  async run(means) {
    const cli = await means.connect();
    const path = means.path("new/folder/new.txt");
    const proposal = await proposeAndShow(means, cli, path, proposed);
    await means.editor.accept(path);
    const [first, second] = await answerTo(proposal, means.limits.event);
    demand(
      first === "FILE_SAVED" && second === proposed,
      `it was answered ${JSON.stringify([first, second])}`,
    );
  },
};

const largeProposal: ClaudeCheck = {
  id: "large-proposal",
  title: "a proposal of several megabytes is taken",
  requirements: ["CP14"],
  lane: "proposals",
  async run({ connect, write, limits }) {
    const cli = await connect();
    const text = "const value = 1;\n".repeat(300_000);
    const proposal = propose(cli, await write("large.js", before), text);
    await until(() => proposal.call.answers.length > 0, limits.quiet);
    demand(proposal.call.answers.length === 0, said(proposal.call.answers));
    const [closed] = await cli.texts("closeAllDiffTabs", {}, limits.event);
    // A refusal may have come meanwhile.
    const isOpen = closed === "CLOSED_1_DIFF_TABS";
    demand(
      isOpen,
      `it was not open: closeAllDiffTabs was answered ${closed}; ${said(proposal.call.answers)}`,
    );
  },
};

export const diffsChecks: readonly ClaudeCheck[] = [
  waits,
  accepted,
  rejected,
  closedView,
  fileUntouched,
  tabClosed,
  closedIsUndecided,
  ownTabsOnly,
  sameTab,
  lostSocket,
  answeredOnce,
  lineEnds,
  newFile,
  largeProposal,
];
