import { writeFileSync } from "node:fs";
import { until } from "../../../until.ts";
import { byUser, demand, demandNone, isRefusal, quote } from "../../check.ts";
import { inputOf, pretending, saying } from "../../fault.ts";
import { isText, problemsOfFields } from "../../fields.ts";
import { isOver, said } from "../../question.ts";
import { observed } from "../../requirement.ts";
import { deciding, reporting } from "../faults.ts";
import { ask, type CopilotGroup, checks, closeDiff, decisionOf, demandResult } from "./means.ts";

export const diffsRules: CopilotGroup = {
  PP1: {
    MUST: "`open_diff` is answered when the user has decided, however long that takes.",
    sources: observed(
      "An answer ends the question in the terminal. The CLI waits for minutes without a byte.",
    ),
    check: "waits",
    lane: "proposals",
    async run(means) {
      const { cli, proposal } = await ask(means);
      const { call } = proposal;
      await until(() => isOver(call), means.limits.silence);
      demand(!isOver(call), `before the user has decided: ${said(call)}`);
      await closeDiff(cli, proposal.tab);
    },
    fault: {
      up: pretending("open_diff", '{"result":"REJECTED"}'),
      says: /answered .*REJECTED/,
    },
  },
  PP2: {
    MUST: 'An acceptance is answered with the result "SAVED".',
    sources: observed("The CLI then writes the file with its own text."),
    check: "accepted",
    ...byUser,
    async run(means) {
      const { path, proposal } = await ask(means);
      await means.editor.accept(path);
      await demandResult(proposal, "SAVED", means.limits.event);
    },
    fault: { down: deciding("SAVED", "KEPT"), says: /the result is "KEPT", not "SAVED"/ },
  },
  PP3: {
    MUST: 'A rejection is answered with the result "REJECTED".',
    sources: observed("The CLI tells its model that the user has rejected the change."),
    check: "rejected",
    ...byUser,
    async run(means) {
      const { path, proposal } = await ask(means);
      await means.editor.reject(path);
      await demandResult(proposal, "REJECTED", means.limits.event);
    },
    fault: { down: deciding("REJECTED", "SAVED"), says: /the result is "SAVED", not "REJECTED"/ },
  },
  PP4: {
    MUST: "The answer is one text: a JSON object with `success: true`, and `result`, `trigger`, `message` and the `tab_name` as texts.",
    sources: observed("Without one of these the answer counts as no decision."),
    check: "answer-form",
    ...byUser,
    async run(means) {
      const cli = await means.connect();
      for (const decide of [means.editor.accept, means.editor.reject]) {
        const { path, proposal } = await ask(means, cli);
        await decide(path);
        const decision = await decisionOf(proposal, means.limits.event);
        const texts = { result: isText, trigger: isText, message: isText, tab_name: proposal.tab };
        demandNone(problemsOfFields(decision, { success: true, ...texts }));
      }
    },
    fault: {
      down: reporting("open_diff", ({ trigger: _, ...value }) => value),
      says: /^trigger is undefined$/,
    },
  },
  PP5: {
    MUST: "The companion does not write the file.",
    sources: observed("The CLI writes it. A new file that is there by then is an error for its model."),
    ...checks.untouched,
    fault: {
      down: reporting("open_diff", (value, asked) => {
        writeFileSync(inputOf(asked).original_file_path ?? "", inputOf(asked).new_file_contents ?? "");
        return value;
      }),
      says: /the file has changed/,
    },
  },
  PP12: {
    MUST: "A text of several megabytes can be proposed.",
    sources: observed("The CLI sends the whole text of the file."),
    ...checks.large(async ({ limits }, cli, proposal) => {
      const { tab, call } = proposal;
      // The call may still be on its way, and a refusal may have come meanwhile.
      let closed: unknown;
      await until(async () => {
        closed = await closeDiff(cli, tab);
        return call.answers.length > 0;
      }, limits.event);
      demand(call.answers.length > 0, `it was not open: close_diff was answered ${quote(closed)}`);
      await decisionOf(proposal, limits.answer);
    }),
  },
  PP13: {
    MUST: "`open_diff` without its arguments is answered with an error.",
    sources: observed("With an error, the question in the terminal is still there."),
    check: "wrong-arguments",
    async run({ connect }) {
      const cli = await connect();
      for (const input of [
        {},
        { tab_name: "x", original_file_path: 7, new_file_contents: "" },
        { tab_name: "x" },
      ]) {
        const { message } = await cli.call("open_diff", input);
        demand(isRefusal(message), `for ${quote(input)} it was answered as if there were a diff`);
      }
    },
    fault: {
      down: saying("open_diff", () => ["{}"]),
      says: /answered as if there were a diff/,
    },
  },
  PP14: {
    SHOULD:
      "The proposed text is read-only, or what the user makes of it is put back once the CLI has written the file.",
    sources: observed("The answer has no field for a text: the CLI writes its own."),
    unchecked: "A companion may do either, and the file is the CLI's to write.",
  },
};
