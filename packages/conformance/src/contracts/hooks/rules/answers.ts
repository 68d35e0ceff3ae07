import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../../../until.ts";
import { isJson, type Json, parseJson } from "../../../wire/json-rpc.ts";
import { byUser, demand, quote } from "../../check.ts";
import { observed } from "../../requirement.ts";
import { beforeTool, callIn, type HookAgentName, hookAgentNames, hookAgents } from "../calls.ts";
import { demandSilence, type HookRules, runTurn } from "../means.ts";

/** The answers that make a CLI ask. */
const asks: Readonly<Partial<Record<HookAgentName, Json>>> = {
  gemini: { decision: "ask" },
  claude: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" } },
};

/** The answers to agents, in the form of each CLI. */
export const answersRules: HookRules = {
  HA1: {
    MUST: 'When the user wants to be asked before, and the CLI has a terminal, the call before a tool for edits is answered with `{"decision": "ask"}` for Gemini CLI, and with `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask"}}` for Claude Code.',
    sources: observed("The CLI asks then in every mode, with the diff in its editor."),
    check: "asks",
    ...byUser,
    async run({ folder, editor, callConnected }) {
      const work = await folder();
      await editor.review(work, "before");
      const agents = hookAgentNames.filter((name) => asks[name]);
      const said = await callConnected(
        agents.map((agent) => callIn(work, agent, beforeTool)),
        true,
      );
      for (const [index, agent] of agents.entries()) {
        const wanted = JSON.stringify(asks[agent]);
        demand(said[index] === wanted, `${agent} was answered ${quote(said[index])}, not ${wanted}`);
      }
    },
    fault: { script: '"$@" | sed s/ask/allow/', says: /^gemini was answered ".*allow/ },
  },
  HA2: {
    MUST: 'A rejection in the editor is `"permissionDecision": "deny"` with a `permissionDecisionReason`: for Copilot CLI at the top, for Codex CLI within `hookSpecificOutput`, of the event `PreToolUse`.',
    sources: observed("The tool does not write, the model reads the reason, and the turn goes on."),
    check: "denies",
    ...byUser,
    async run({ folder, editor, callConnected, limits }) {
      const work = await folder();
      const file = join(work, "new.txt");
      await editor.review(work, "before");
      for (const agent of ["copilot", "codex"] as const) {
        const over = new AbortController();
        const answered = callConnected([callIn(work, agent, beforeTool)], true, over.signal);
        const rejected = until(() => editor.shows(file), limits.event).then(() => editor.reject(file));
        // Where nobody can reject it, it would wait on, and write once all is removed.
        const [[said = ""]] = await Promise.all([answered, rejected]).finally(() => over.abort());
        // The lines before it are for the terminal.
        const answer = parseJson(said.trim().split("\n").at(-1) ?? "");
        const { hookSpecificOutput } = isJson(answer) ? answer : {};
        const decision = agent === "codex" ? hookSpecificOutput : answer;
        const { permissionDecision, permissionDecisionReason: why } = isJson(decision) ? decision : {};
        demand(
          permissionDecision === "deny" && typeof why === "string" && why !== "",
          `a rejection of ${hookAgents[agent].title} was answered ${quote(said)}`,
        );
      }
    },
    fault: { script: '"$@" | sed s/permissionDecisionReason/reason/', says: /^a rejection of Copilot CLI/ },
  },
  HA3: {
    SHOULD:
      "What the user has reverted is said to the agent in the answer to its session's next call that takes a text, once: as `additionalContext` within `hookSpecificOutput` with the `hookEventName`, for Copilot CLI at the top.",
    sources: observed(
      "These CLIs pass that text to the model: with the prompt or after a tool, Copilot CLI after a tool.",
    ),
    check: "feedback",
    ...byUser,
    async run(means) {
      const { folder, editor, call } = means;
      const work = await folder();
      for (const agent of hookAgentNames) {
        const file = `${agent}.txt`;
        await writeFile(join(work, file), "before\n");
        await runTurn(means, work, agent, { file });
        await editor.revert(join(work, file));
        const next = callIn(work, agent, agent === "copilot" ? /^postToolUse$/ : /^/);
        const { said } = await call(work, next);
        const answer = parseJson(said);
        const { hookSpecificOutput: own } = isJson(answer) ? answer : {};
        const of = agent === "copilot" ? answer : isJson(own) && own.hookEventName === next.event ? own : {};
        const heard = isJson(of) ? String(of.additionalContext) : "";
        demand(heard.includes(file), `${agent} does not hear of the revert: ${quote(said)}`);
        demandSilence(await call(work, next), `${agent}, which had heard of it,`);
      }
    },
    fault: {
      script: 'said=$("$@"); [ -z "$said" ] || printf %s "$said" >../said; [ ! -f ../said ] || cat ../said',
      says: /which had heard of it, the hook said/,
    },
  },
};
