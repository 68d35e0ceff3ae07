import { setTimeout as delay } from "node:timers/promises";
import { until } from "../../../until.ts";
import { byUser, demand, quote } from "../../check.ts";
import { answering, inputOf, nameOf, saying } from "../../fault.ts";
import { before, demandGone, isOver, said } from "../../question.ts";
import { observed, recommended } from "../../requirement.ts";
import { proposedIn } from "../faults.ts";
import { answerTo, ask, type ClaudeGroup, checks, closeTab, proposeAndShow } from "./means.ts";

export const tabsRules: ClaudeGroup = {
  CP6: {
    MUST: "`close_tab` is answered `TAB_CLOSED` and takes the diff away; a second time, and for an unknown name, it is answered the same.",
    sources: observed("It comes after every outcome, often twice, and says nothing of the outcome."),
    check: "tab-closed",
    ...byUser,
    async run(means) {
      const { cli, path, proposal } = await ask(means);
      for (const tab of [proposal.tab, proposal.tab, "✻ [Claude Code] unknown (ffffff) ⧉"]) {
        const [text] = await closeTab(cli, tab);
        demand(text === "TAB_CLOSED", `close_tab was answered ${quote(text)}, not TAB_CLOSED`);
      }
      await demandGone(means, path, "after close_tab");
    },
    fault: {
      down: (message, _, asked) =>
        inputOf(asked).tab_name?.includes("unknown") ? answering(asked, "NO_SUCH_TAB") : message,
      says: /close_tab was answered "NO_SUCH_TAB"/,
    },
  },
  CP7: {
    MUST: "An `openDiff` that `close_tab` ends is never answered as accepted.",
    sources: observed("The user may have said no in the terminal."),
    check: "closed-is-undecided",
    lane: "proposals",
    async run(means) {
      const { cli, proposal } = await ask(means);
      await closeTab(cli, proposal.tab);
      await until(() => proposal.call.answers.length > 0, means.limits.quiet);
      if (proposal.call.answers.length === 0) return;
      const [first] = await answerTo(proposal, means.limits.answer);
      demand(first === "DIFF_REJECTED", `openDiff was then answered ${quote(first)}`);
    },
    fault: {
      down: saying("openDiff", (asked) => ["FILE_SAVED", proposedIn(asked)]),
      says: /openDiff was then answered "FILE_SAVED"/,
    },
  },
  CP8: {
    MUST: "`closeAllDiffTabs` is answered `CLOSED_<n>_DIFF_TABS`, and takes away the diffs of the CLI that calls it, and no other.",
    sources: observed("It comes with every prompt: a CLI would remove the question of another one."),
    check: "own-tabs-only",
    lane: "proposals",
    async run(means) {
      const [one, other] = [await means.connect(), await means.connect()];
      const paths = [await means.write("b.txt", before), await means.write("c.txt", before)];
      const [first = "", second = ""] = paths;
      const kept = await proposeAndShow(means, one, first);
      await proposeAndShow(means, other, second);
      const [text] = await other.texts("closeAllDiffTabs", {});
      demand(text === "CLOSED_1_DIFF_TABS", `with one diff open it was answered ${quote(text)}`);
      await delay(means.limits.quiet);
      demand(!isOver(kept.call), `the question of another CLI was ${said(kept.call)}`);
      if (means.hasEditor) demand(await means.editor.shows(first), "the diff of another CLI is gone");
      await closeTab(one, kept.tab);
      const [none] = await one.texts("closeAllDiffTabs", {});
      demand(none === "CLOSED_0_DIFF_TABS", `without a diff it was answered ${quote(none)}`);
    },
    fault: {
      down: saying("closeAllDiffTabs", (_, { all }) => [`CLOSED_${all.length}_DIFF_TABS`]),
      says: /it was answered "CLOSED_2_DIFF_TABS"/,
    },
  },
  CP9: {
    MUST: "`close_tab` reaches the diffs of the CLI that calls it, and no other, also when another one uses the same name.",
    sources: recommended("Names are unique by chance only."),
    ...checks.sameTab,
  },
  CP10: {
    MUST: "When a socket closes, the diffs of its CLI are taken away.",
    sources: observed("No `close_tab` for them ever comes, also not on the next socket."),
    check: "lost-socket",
    ...checks.gone((cli) => cli.cut(), "after its socket has closed"),
  },
  CP11: {
    MUST: "`openDiff` is answered once.",
    sources: recommended("It is JSON-RPC 2.0."),
    check: "answered-once",
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
    fault: {
      down(message, { tell }, asked) {
        if (nameOf(asked) === "openDiff") tell(message);
        return message;
      },
      says: /openDiff was answered 2 times/,
    },
  },
  CP14: {
    MUST: "A proposal of several megabytes is shown.",
    sources: observed("`new_file_contents` is always the whole file."),
    ...checks.large(async ({ limits }, cli, { call }) => {
      const [closed] = await cli.texts("closeAllDiffTabs", {}, limits.event);
      // A refusal may have come meanwhile.
      const isOpen = closed === "CLOSED_1_DIFF_TABS";
      demand(isOpen, `it was not open: closeAllDiffTabs was answered ${closed}; ${said(call)}`);
    }),
  },
};
