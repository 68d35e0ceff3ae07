import path from "node:path";
import { type AgentHooks, hookSeconds, pathIn } from "../hooks.ts";

/** @see docs/start/written-changes.md#what-is-recorded */
export const copilotHooks: AgentHooks = {
  events: {
    userPromptSubmitted: "turn-start",
    preToolUse: "before-tool",
    postToolUse: "after-tool",
    postToolUseFailure: "after-tool",
    agentStop: "turn-end",
    sessionEnd: "session-end",
  },
  tools: { edit: pathIn("path"), create: pathIn("path") },
  shell: "bash",
  fields: { session: "sessionId", prompt: "prompt", tool: "toolName", input: "toolArgs" },
  settingsPath: ({ env, home }) =>
    path.join(env.COPILOT_HOME || path.join(home, ".copilot"), "hooks", "ide-companion.json"),
  ownFile: true,
  // Its calls do not say which event they are of: the line does.
  toEntry: ({ event, tools, toLine }) => ({
    type: "command",
    bash: toLine("sh", event),
    powershell: toLine("powershell", event),
    timeoutSec: hookSeconds,
    ...(tools !== undefined && { matcher: tools }),
  }),
  toContext: (event) =>
    event === "postToolUse" ? (additionalContext) => ({ additionalContext }) : undefined,
  windowsShell: "powershell",
};
