import { randomUUID } from "node:crypto";
import { until } from "../../../until.ts";
import { isJson, type Json, parseJson } from "../../../wire/json-rpc.ts";
import { Broken, demand, quote, textsOf, Unconnected } from "../../check.ts";
import type { GivenMeans } from "../../contract.ts";
import { HttpCli, openRaw, unlimited } from "../../http-cli.ts";
import { plainChecks } from "../../plain.ts";
import {
  createQuestions,
  decisionChecks,
  isOver,
  type Pending,
  type Proposal,
  tabChecks,
} from "../../question.ts";
import type { Rules } from "../../rule.ts";
import type { CopilotFault } from "../faults.ts";
import type { CopilotTarget } from "../lock-file.ts";

/** The version of MCP that the CLI asks for. */
export const currentVersion = "2025-11-25";

/** What a check of this contract may use. */
export type Means = ReturnType<typeof createMeans>;

export function createMeans({ common, clis, evidence }: GivenMeans<CopilotTarget>) {
  const { limits, target } = common;
  /** A CLI that has sent nothing. @param ownId that of another one that comes again */
  const newCli = ({ socketPath, headers }: CopilotTarget = target, ownId: string = randomUUID()): HttpCli => {
    const cli = new HttpCli({
      ...{ title: "Copilot CLI", port: socketPath, limits, evidence, onUnanswered: clis.onUnanswered },
      own: {
        ...headers,
        host: "localhost",
        "x-copilot-session-id": ownId,
        "x-copilot-pid": String(process.pid),
        "x-copilot-parent-pid": String(process.ppid),
      },
      posting: { "transfer-encoding": "chunked" },
      clientInfo: { name: "copilot-cli", version: "1.0.102" },
      protocolVersion: currentVersion,
    });
    clis.add(async () => {
      // As CLIs that exit: the companion takes their diffs away.
      if (cli.id !== undefined) await cli.leave().catch(() => {});
      cli.kill();
    });
    return cli;
  };
  return {
    ...common,
    newCli,
    /** A CLI that has a stream and has listed the tools. */
    async connect(to?: CopilotTarget): Promise<HttpCli> {
      const cli = newCli(to);
      await Unconnected.unless(cli.greet());
      await cli.openStream();
      await cli.list();
      return cli;
    },
    raw: () => openRaw(target.socketPath, limits, clis),
  };
}

export type CopilotGroup = Rules<Means, CopilotFault>;

/** The id of a CLI's conversation, which it sends with each request. */
export const ownIdOf = ({ headers }: HttpCli): string | undefined => headers["x-copilot-session-id"];

/** Calls a tool that answers at once. @returns what its text says */
export async function callTool(cli: HttpCli, name: string, input: Json): Promise<unknown> {
  const [text = ""] = textsOf((await cli.call(name, input)).message, name);
  const value = parseJson(text);
  if (value === undefined) throw new Broken(`the text of ${name} is not JSON: ${text.slice(0, 200)}`);
  return value;
}

/** Calls a tool that waits for the user. */
function start(cli: HttpCli, name: string, input: Json): Pending {
  const answers: Json[] = [];
  let failure: string | undefined;
  void cli.call(name, input, unlimited).then(
    ({ message }) => answers.push(message),
    (error: Error) => {
      failure = error.message;
    },
  );
  return {
    answers,
    get failure() {
      return failure;
    },
    answer: async (within = cli.limits.answer) => {
      await until(() => isOver({ answers, failure }), within);
      const [first] = answers;
      if (first) return first;
      throw new Broken(failure ?? `${name} was not answered within ${within} ms`);
    },
  };
}

const questions = createQuestions<HttpCli>({
  tabOf: (file, number) => `[Copilot CLI] - ${file} (${number})`,
  open: (cli, { tab, path, text }) =>
    start(cli, "open_diff", { original_file_path: path, new_file_contents: text, tab_name: tab }),
});

export const { propose, proposeAndShow, ask } = questions;

/** The decision in an answer. @throws Broken when there is none in time */
export async function decisionOf({ call }: Proposal, within: number): Promise<Json> {
  const [text = ""] = textsOf(await call.answer(within), "open_diff");
  const decision = parseJson(text);
  demand(isJson(decision), `the text is no JSON object: ${text.slice(0, 200)}`);
  return decision;
}

/** @throws Broken when the decision is another one */
export async function demandResult(proposal: Proposal, wanted: string, within: number): Promise<void> {
  const { result } = await decisionOf(proposal, within);
  demand(result === wanted, `the result is ${quote(result)}, not "${wanted}"`);
}

export const closeDiff = (cli: HttpCli, tab: string) => callTool(cli, "close_diff", { tab_name: tab });

export const plain = plainChecks<HttpCli>(
  async (cli, method, params) => (await cli.request(method, params)).message,
);

export const checks = {
  ...decisionChecks<HttpCli>(questions, (proposal, within) => demandResult(proposal, "SAVED", within)),
  ...tabChecks<HttpCli>(questions, "close_diff", closeDiff),
};
