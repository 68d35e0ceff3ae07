import { writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { byUser, demand, quote } from "../../check.ts";
import { answering, inputOf, nameOf, saidIn } from "../../fault.ts";
import { isOver, type Proposal, said } from "../../question.ts";
import { observed } from "../../requirement.ts";
import { closedForRejected, proposedIn, whenSaved } from "../faults.ts";
import { answerTo, ask, type ClaudeGroup, checks, closeTab, proposeAndShow } from "./means.ts";

async function demandRejected(proposal: Proposal, within: number): Promise<void> {
  const [first] = await answerTo(proposal, within);
  demand(first === "DIFF_REJECTED", `the answer is ${quote(first)}, not DIFF_REJECTED`);
}

/** Line ends and a mark are the CLI's to give back. */
const plain = (text: string | undefined) => text?.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");

export const diffsRules: ClaudeGroup = {
  CP1: {
    MUST: "`openDiff` is answered when the user has decided, not before.",
    sources: observed("The answer is the decision."),
    check: "waits",
    ...byUser,
    async run(means) {
      const { cli, proposal } = await ask(means);
      await delay(means.limits.quiet);
      demand(!isOver(proposal.call), `before the user has decided it was ${said(proposal.call)}`);
      await closeTab(cli, proposal.tab);
    },
    fault: {
      up(message, { tell }) {
        if (message && nameOf(message) === "openDiff") tell(answering(message));
        return message;
      },
      says: /before the user has decided it was answered/,
    },
  },
  CP2: {
    MUST: "When the user accepts, the answer has the texts `FILE_SAVED` and the final contents, the user's edits included.",
    sources: observed("The CLI writes these contents, and tells the model when the user has edited them."),
    check: "accepted",
    ...byUser,
    async run(means) {
      const { path, proposal } = await ask(means);
      await means.editor.edit(path, "one\nmine\n");
      await means.editor.accept(path);
      const [first, second] = await answerTo(proposal, means.limits.event);
      demand(first === "FILE_SAVED", `the answer begins with ${quote(first)}, not FILE_SAVED`);
      demand(second === "one\nmine\n", `the second text is ${quote(second)}, not the user's`);
    },
    fault: {
      down: whenSaved((asked) => answering(asked, "FILE_SAVED", proposedIn(asked))),
      says: /the second text is "one\\n2\\n", not the user's/,
    },
  },
  CP3: {
    MUST: "When the user rejects, the answer is `DIFF_REJECTED`.",
    sources: observed("The turn ends, and the file stays as it was."),
    check: "rejected",
    ...byUser,
    async run(means) {
      const { path, proposal } = await ask(means);
      await means.editor.reject(path);
      await demandRejected(proposal, means.limits.event);
    },
    fault: { down: closedForRejected, says: /the answer is "TAB_CLOSED"/ },
  },
  CP4: {
    MUST: "When the user closes the diff without a decision, the answer is `DIFF_REJECTED`, never `TAB_CLOSED`.",
    sources: observed("The CLI takes `TAB_CLOSED` for an acceptance, and writes the proposal."),
    check: "closed-view",
    ...byUser,
    async run(means) {
      const { path, proposal } = await ask(means);
      await means.editor.close(path);
      await demandRejected(proposal, means.limits.event);
    },
    fault: { down: closedForRejected, says: /the answer is "TAB_CLOSED"/ },
  },
  CP5: {
    MUST: "The companion does not touch the file: the CLI writes it.",
    sources: observed("A file that has changed since it was read makes the CLI's own write fail."),
    ...checks.untouched,
    fault: {
      down: whenSaved((asked, message) => {
        writeFileSync(inputOf(asked).new_file_path ?? "", proposedIn(asked));
        return message;
      }),
      says: /the file has changed/,
    },
  },
  CP12: {
    MUST: "A text that is accepted as it was proposed comes back as it was proposed; line ends and a byte order mark may be the file's.",
    sources: observed(
      "The CLI sends LF for every file, and gives the file its own line ends and mark again.",
    ),
    check: "line-ends",
    ...byUser,
    async run(means) {
      const files = {
        "crlf.txt": "one\r\ntwo\r\n",
        "marked.txt": "\uFEFFone\ntwo\n",
        "open.txt": "one\ntwo",
      };
      const cli = await means.connect();
      for (const [name, content] of Object.entries(files)) {
        const path = await means.write(name, content);
        const text = content.replaceAll("\r\n", "\n").replace("two", "2");
        const proposal = await proposeAndShow(means, cli, path, text);
        await means.editor.accept(path);
        const [first, second] = await answerTo(proposal, means.limits.event);
        const isSame = first === "FILE_SAVED" && plain(second) === plain(text);
        demand(isSame, `for ${name} ${quote(text)} came back as ${quote(second)}`);
        await closeTab(cli, proposal.tab);
      }
    },
    fault: {
      down: whenSaved((asked, message) =>
        answering(asked, "FILE_SAVED", `${saidIn(message)[1]?.trimEnd()}\n`),
      ),
      says: /for open\.txt "one\\n2" came back as "one\\n2\\n"/,
    },
  },
  CP13: {
    MUST: "A diff of a file that does not exist can be shown, also in a folder that does not exist.",
    sources: observed("The CLI makes both after the decision."),
    ...checks.newFile,
  },
};
