import { until } from "../../../until.ts";
import { isJson } from "../../../wire/json-rpc.ts";
import { byUser, demand, demandNone } from "../../check.ts";
import { isText, problemsOfFields } from "../../fields.ts";
import { demandGone } from "../../question.ts";
import { observed, recommended } from "../../requirement.ts";
import { deciding, reporting } from "../faults.ts";
import { ask, type CopilotGroup, checks, closeDiff, decisionOf, demandResult } from "./means.ts";

export const tabsRules: CopilotGroup = {
  PP6: {
    MUST: "`close_diff` takes the diff away and is answered `{success: true, already_closed, tab_name, message}`, as often as it comes.",
    sources: observed("The CLI calls it when its user has decided in the terminal."),
    check: "diff-closed",
    ...byUser,
    async run(means) {
      const { cli, path, proposal } = await ask(means);
      const unknown = "[Copilot CLI] - unknown (ffffff)";
      for (const [tab, isClosed] of [
        [proposal.tab, false],
        [proposal.tab, true],
        [unknown, true],
      ] as const) {
        const answer = await closeDiff(cli, tab);
        const wanted = { success: true, already_closed: isClosed, tab_name: tab, message: isText };
        demandNone(problemsOfFields(isJson(answer) ? answer : {}, wanted));
      }
      await demandGone(means, path, "after close_diff");
    },
    fault: {
      down: reporting("close_diff", (value) => ({ ...value, already_closed: false })),
      says: /^already_closed is false, not true$/,
    },
  },
  PP7: {
    MUST: 'The call that waits for a diff that `close_diff` takes away is answered with the result "REJECTED".',
    sources: observed("The CLI ignores this answer. Another one would stand for a decision."),
    check: "closed-is-answered",
    lane: "proposals",
    async run(means) {
      const { cli, proposal } = await ask(means);
      await closeDiff(cli, proposal.tab);
      await demandResult(proposal, "REJECTED", means.limits.event);
    },
    fault: { down: deciding("REJECTED", "SAVED"), says: /the result is "SAVED", not "REJECTED"/ },
  },
  PP8: {
    MUST: "A diff that the user closes without a decision is not accepted.",
    sources: observed("The question in the terminal is still there."),
    check: "closed-view",
    ...byUser,
    async run(means) {
      const { path, proposal } = await ask(means);
      await means.editor.close(path);
      await until(() => proposal.call.answers.length > 0, means.limits.quiet);
      if (proposal.call.answers.length === 0) return;
      const { result } = await decisionOf(proposal, means.limits.answer);
      demand(result !== "SAVED", 'the result is "SAVED"');
    },
    fault: { down: deciding("REJECTED", "SAVED"), says: /the result is "SAVED"/ },
  },
  PP9: {
    MUST: "The name of a tab belongs to one session.",
    sources: recommended("Two CLIs may give the same name."),
    ...checks.sameTab,
  },
  PP10: {
    MUST: "When the connections of a CLI close, its diffs are taken away.",
    sources: observed("A CLI that is killed sends nothing."),
    check: "killed",
    ...checks.gone((cli) => cli.kill(), "after its CLI was killed"),
  },
  PP11: {
    MUST: "A file that does not exist yet can be proposed, in a folder that does not exist either.",
    sources: observed("The CLI proposes new files the same way."),
    ...checks.newFile,
  },
};
