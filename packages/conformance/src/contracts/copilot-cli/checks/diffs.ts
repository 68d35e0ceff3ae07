import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { isJson } from "../../../wire/json-rpc.ts";
import { byUser, demand, demandNone, until } from "../../check.ts";
import {
  ask,
  before,
  type CopilotCheck,
  closeDiff,
  decisionOf,
  propose,
  proposeAndShow,
  said,
} from "./means.ts";

export const diffChecks: readonly CopilotCheck[] = [
  {
    id: "waits",
    title: "open_diff waits for the user, however long that takes",
    requirements: ["PP1"],
    lane: "proposals",
    async run(means) {
      const { cli, proposal } = await ask(means);
      const { call } = proposal;
      await until(() => call.answers.length > 0 || call.failure !== undefined, means.limits.silence);
      const isWaiting = call.answers.length === 0 && call.failure === undefined;
      demand(isWaiting, `before the user has decided: ${said(call)}`);
      await closeDiff(cli, proposal.tab);
    },
  },
  {
    id: "accepted",
    title: "an acceptance is answered SAVED",
    requirements: ["PP2"],
    ...byUser,
    async run(means) {
      const { path, proposal } = await ask(means);
      await means.editor.accept(path);
      const { result } = await decisionOf(proposal, means.limits.event);
      demand(result === "SAVED", `the result is ${JSON.stringify(result)}, not "SAVED"`);
    },
  },
  {
    id: "rejected",
    title: "a rejection is answered REJECTED",
    requirements: ["PP3"],
    ...byUser,
    async run(means) {
      const { path, proposal } = await ask(means);
      await means.editor.reject(path);
      const { result } = await decisionOf(proposal, means.limits.event);
      demand(result === "REJECTED", `the result is ${JSON.stringify(result)}, not "REJECTED"`);
    },
  },
  {
    id: "answer-form",
    title: "a decision has all that the CLI reads",
    requirements: ["PP4"],
    ...byUser,
    async run(means) {
      const cli = await means.connect();
      for (const decide of [means.editor.accept, means.editor.reject]) {
        const { path, proposal } = await ask(means, cli);
        await decide(path);
        const decision = await decisionOf(proposal, means.limits.event);
        demandNone([
          ...(decision.success === true ? [] : [`success is ${JSON.stringify(decision.success)}`]),
          ...["result", "trigger", "message"].flatMap((name) =>
            typeof decision[name] === "string" ? [] : [`${name} is ${JSON.stringify(decision[name])}`],
          ),
          ...(decision.tab_name === proposal.tab
            ? []
            : [`tab_name is ${JSON.stringify(decision.tab_name)}, not ${JSON.stringify(proposal.tab)}`]),
        ]);
      }
    },
  },
  {
    id: "file-untouched",
    title: "the companion leaves the file to the CLI",
    requirements: ["PP5"],
    ...byUser,
    async run(means) {
      const { path, proposal } = await ask(means);
      await means.editor.accept(path);
      await decisionOf(proposal, means.limits.event);
      await delay(means.limits.quiet);
      demand((await readFile(path, "utf8")) === before, "the file has changed before the CLI has written it");
    },
  },
  {
    id: "diff-closed",
    title: "close_diff takes the diff away, as often as it comes",
    requirements: ["PP6"],
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
        const isRight =
          isJson(answer) &&
          answer.success === true &&
          answer.already_closed === isClosed &&
          answer.tab_name === tab &&
          typeof answer.message === "string";
        demand(
          isRight,
          `close_diff was answered ${JSON.stringify(answer)}, not with already_closed ${isClosed}`,
        );
      }
      await until(async () => !(await means.editor.shows(path)), means.limits.event);
      demand(!(await means.editor.shows(path)), "the diff is still shown after close_diff");
    },
  },
  {
    id: "closed-is-answered",
    title: "the call of a diff that close_diff takes away is answered REJECTED",
    requirements: ["PP7"],
    lane: "proposals",
    async run(means) {
      const { cli, proposal } = await ask(means);
      await closeDiff(cli, proposal.tab);
      const { result } = await decisionOf(proposal, means.limits.event);
      demand(result === "REJECTED", `the result is ${JSON.stringify(result)}, not "REJECTED"`);
    },
  },
  {
    id: "closed-view",
    title: "a diff that the user closes without a decision is not accepted",
    requirements: ["PP8"],
    ...byUser,
    async run(means) {
      const { path, proposal } = await ask(means);
      await means.editor.close(path);
      await until(() => proposal.call.answers.length > 0, means.limits.quiet);
      if (proposal.call.answers.length === 0) return;
      const { result } = await decisionOf(proposal, means.limits.answer);
      demand(result !== "SAVED", 'the result is "SAVED"');
    },
  },
  {
    id: "same-tab",
    title: "a name of one CLI is not that of another",
    requirements: ["PP9"],
    lane: "proposals",
    async run(means) {
      const [one, other] = [await means.connect(), await means.connect()];
      const proposal = await proposeAndShow(means, one, await means.write("d.txt", before));
      await closeDiff(other, proposal.tab);
      await delay(means.limits.quiet);
      const { answers } = proposal.call;
      demand(answers.length === 0, `after close_diff of another CLI: ${said(proposal.call)}`);
      if (means.hasEditor) demand(await means.editor.shows(proposal.path), "another CLI has closed the diff");
      await closeDiff(one, proposal.tab);
    },
  },
  {
    id: "killed",
    title: "the diffs of a CLI that is killed are taken away",
    requirements: ["PP10"],
    ...byUser,
    async run(means) {
      const { cli, path } = await ask(means);
      cli.kill();
      await until(async () => !(await means.editor.shows(path)), means.limits.reaping);
      demand(!(await means.editor.shows(path)), "the diff is still shown after its CLI was killed");
    },
  },
  {
    id: "new-file",
    title: "a new file can be proposed in a folder that does not exist",
    requirements: ["PP11"],
    ...byUser,
    async run(means) {
      const proposal = await proposeAndShow(
        means,
        await means.connect(),
        means.path("new/folder/new-file.txt"),
      );
      await means.editor.accept(proposal.path);
      await decisionOf(proposal, means.limits.event);
    },
  },
  {
    id: "large-proposal",
    title: "a proposal of several megabytes is taken",
    requirements: ["PP12"],
    lane: "proposals",
    async run({ connect, write, limits }) {
      const cli = await connect();
      const text = "const value = 1;\n".repeat(300_000);
      const { tab, call } = propose(cli, await write("large.js", before), text);
      await until(() => call.answers.length > 0 || call.failure !== undefined, limits.quiet);
      demand(call.answers.length === 0 && call.failure === undefined, said(call));
      // The call may still be on its way, and a refusal may have come meanwhile.
      let closed: unknown;
      await until(async () => {
        closed = await closeDiff(cli, tab);
        return call.answers.length > 0;
      }, limits.event);
      demand(call.answers.length > 0, `it was not open: close_diff was answered ${JSON.stringify(closed)}`);
      await decisionOf({ tab, path: "", call }, limits.answer);
    },
  },
  {
    id: "wrong-arguments",
    title: "open_diff without its arguments is answered with an error",
    requirements: ["PP13"],
    lane: "wire",
    async run({ connect }) {
      const cli = await connect();
      for (const input of [
        {},
        { tab_name: "x", original_file_path: 7, new_file_contents: "" },
        { tab_name: "x" },
      ]) {
        const { error, result } = await cli.request("tools/call", { name: "open_diff", arguments: input });
        const isError = isJson(error) || (isJson(result) && result.isError === true);
        demand(isError, `for ${JSON.stringify(input)} it was answered as if there were a diff`);
      }
    },
  },
];
