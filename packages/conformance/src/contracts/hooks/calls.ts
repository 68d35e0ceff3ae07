import { basename } from "node:path";
import { codex } from "./calls/codex.gen.ts";
import { gemini } from "./calls/gemini.gen.ts";
import { qwen } from "./calls/qwen.gen.ts";

/** One call of a hook, as its CLI makes it. */
export interface HookCall {
  readonly agent: HookAgentName;
  readonly event: string;
  /** What the hook reads. */
  readonly text: string;
  /** The words after the agent's name: the event, of a CLI that does not say it in its call. */
  readonly words: readonly string[];
  /** Whether a tool waits for it. */
  readonly isBefore: boolean;
  /** Whether it is about a command of the shell. */
  readonly isShell: boolean;
}

const documented = (common: object, calls: readonly (readonly [event: string, more: object])[]) =>
  calls.map(([hook_event_name, more]) => ({ ...common, cwd: "{workspace}", hook_event_name, ...more }));

const writing = {
  ...{ tool_name: "Write", tool_use_id: "1" },
  tool_input: { file_path: "{workspace}/new.txt", content: "new\n" },
};
const claude = documented({ session_id: "", prompt_id: "p", permission_mode: "default" }, [
  ["UserPromptSubmit", { prompt: "Write a file" }],
  ["PreToolUse", writing],
  ["PostToolUse", { ...writing, tool_response: { type: "create" } }],
  ["Stop", { stop_hook_active: false }],
]);

const creating = { toolName: "create", toolArgs: { path: "{workspace}/new.txt", file_text: "new\n" } };
const copilot = documented({ sessionId: "", timestamp: 1795819610198 }, [
  ["userPromptSubmitted", { prompt: "Write a file" }],
  ["preToolUse", creating],
  ["postToolUse", { ...creating, toolResult: { resultType: "success", textResultForLlm: "" } }],
  ["agentStop", { stopReason: "end_turn" }],
]);

/**
 * Turns that write new.txt, by the word that hooks are called with. `npm run record -- hooks` has recorded the calls of
 * Gemini CLI, Qwen Code and Codex CLI, whose turns run a command as well. Those of the others have the shapes in which
 * Claude Code 2.1.332 and Copilot CLI 1.0.102 were seen to make them.
 */
export const hookAgents = {
  gemini: { title: "Gemini CLI", calls: gemini },
  qwen: { title: "Qwen Code", calls: qwen },
  claude: { title: "Claude Code", calls: claude },
  codex: { title: "Codex CLI", calls: codex },
  copilot: { title: "Copilot CLI", calls: copilot },
} as const;

export type HookAgentName = keyof typeof hookAgents;

export const hookAgentNames = Object.keys(hookAgents) as readonly HookAgentName[];

/** The events for which a tool waits. */
export const beforeTool = /^(?:BeforeTool|PreToolUse)$/i;

/** The calls of a turn in a folder, in a session that is named after it. @param file stands for new.txt */
export function callsIn(folder: string, agent: HookAgentName, file = "new.txt"): readonly HookCall[] {
  const quoted = JSON.stringify(folder).slice(1, -1);
  const calls: readonly object[] = hookAgents[agent].calls;
  return calls.map((call) => {
    const { hook_event_name: name, ...others } = call as Readonly<Record<string, unknown>>;
    const [event, session] = [String(name), `${basename(folder)}-${agent}`];
    const isUnnamed = "sessionId" in call;
    const own = isUnnamed ? { ...others, sessionId: session } : { ...call, session_id: session };
    const text = JSON.stringify(own).replaceAll("{workspace}", quoted).replaceAll("new.txt", file);
    return {
      ...{ agent, event, text, words: isUnnamed ? [event] : [] },
      isBefore: beforeTool.test(event),
      isShell: text.includes("made.txt"),
    };
  });
}

/** The first call of a turn whose event fits; its very first unless given. */
export function callIn(folder: string, agent: HookAgentName, event = /^/): HookCall {
  const found = callsIn(folder, agent).find((call) => event.test(call.event));
  if (!found) throw new Error(`${agent} makes no call of ${event}`);
  return found;
}
