import { UsageError } from "../../cli/options.ts";
import { fromHere, NoCompanion, openSubject, refuseAddress, toWords } from "../../cli/subject.ts";
import { RunnableContract } from "../contract.ts";
import { startFamily } from "../gemini-family/target/target.ts";
import { hookAgents } from "./calls.ts";
import { createMeans, type HookFault, type Means } from "./means.ts";
import type { HookTarget } from "./program.ts";
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
