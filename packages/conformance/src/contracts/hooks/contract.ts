import { mkdir } from "node:fs/promises";
import { UsageError } from "../../cli/options.ts";
import { fromHere, NoCompanion, openSubject, refuseAddress, toWords } from "../../cli/subject.ts";
import { demand, NotRun } from "../check.ts";
import { type GivenMeans, RunnableContract } from "../contract.ts";
import { startFamily } from "../gemini-family/target/target.ts";
import { hookAgents } from "./calls.ts";
import type { HookFault, HookTarget, Means } from "./means.ts";
import { callByConnected, runProgram } from "./program.ts";
import { answersRules } from "./rules/answers.ts";
import { goOnRules } from "./rules/go-on.ts";
import { recordRules } from "./rules/record.ts";

/** A program that CLIs call before and after their tools, with one JSON on its standard input. */
export const hooks = new RunnableContract<HookTarget, Means, HookFault>({
  agents: ["hooks"],
  groups: {
    "go-on": { title: "The agent goes on", rules: goOnRules },
    record: { title: "The record", rules: recordRules },
    answers: { title: "Answers", rules: answersRules },
  },
  handshake: "bad-json",
  severalClis: "bad-json",
  titlesOf: () => Object.values(hookAgents).map(({ title }) => title),
  async open(args, cleanup) {
    refuseAddress(args, "the companion that hooks are checked with is found");
    const words = toWords(args.value("hook") ?? "");
    if (words.length === 0) throw new UsageError("hooks are checked by --hook, the program that CLIs call");
    const hook = fromHere(words, process.cwd());
    return openSubject<HookTarget>(args, cleanup, {
      isGiven: false,
      async start(options) {
        const started = await startFamily(options);
        return { ...started, target: { ...started.target, hook, env: started.env } };
      },
      async find() {
        throw new NoCompanion(
          "hooks are checked with a companion that a command starts: its folders are private",
        );
      },
    });
  },
  addressOf: ({ hook }) => hook.join(" "),
  secretsOf: ({ tokens }) => tokens.values(),
  createMeans,
});

function createMeans({ common, evidence }: GivenMeans<HookTarget>): Means {
  const { limits, target, path, write } = common;
  // Codex CLI ends some hooks after three seconds.
  const longest = limits.answer * 0.6;
  return {
    ...common,
    async folder() {
      const cwd = path("work");
      await mkdir(cwd, { recursive: true });
      const init = ["git", "init", "-q"];
      const { code } = await runProgram(init, { cwd, env: target.env, within: limits.process });
      if (code !== 0) throw new NotRun("there is no git");
      return cwd;
    },
    async call(cwd, { agent, words, text }, { hook = target.hook, env = target.env } = {}) {
      evidence.note(`→ ${[agent, ...words].join(" ")} ${text}`);
      const started = performance.now();
      const answer = await runProgram([...hook, agent, ...words], { cwd, env, within: longest, input: text });
      const took = Math.round(performance.now() - started);
      evidence.note(`← ${answer.code} ${answer.said}`);
      demand(took <= longest, `the hook took ${took} ms, more than ${longest}`);
      return answer;
    },
    async callConnected(calls, hasTerminal, signal) {
      const running = { cwd: path("work"), env: target.env, within: limits.process, signal };
      const said = await callByConnected(target, calls, { ...running, write, hasTerminal });
      for (const [index, { agent, text }] of calls.entries())
        evidence.note(`→ ${agent} ${text} ← ${said[index]}`);
      return said;
    },
  };
}
