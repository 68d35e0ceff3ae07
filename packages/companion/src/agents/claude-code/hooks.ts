import path from "node:path";
import { type AgentHooks, hookSeconds, pathIn, toGroup } from "../hooks.ts";

/** @see docs/start/written-changes.md#what-is-recorded */
export const claudeHooks: AgentHooks = {
  events: {
    UserPromptSubmit: "turn-start",
    PreToolUse: "before-tool",
    PostToolUse: "after-tool",
    PostToolUseFailure: "after-tool",
    Stop: "turn-end",
    SessionEnd: "session-end",
  },
  tools: {
    Edit: pathIn("file_path"),
    Write: pathIn("file_path"),
    NotebookEdit: pathIn("notebook_path"),
  },
  fields: {
    session: "session_id",
    turn: "prompt_id",
    prompt: "prompt",
    tool: "tool_name",
    input: "tool_input",
  },
  settingsPath: ({ env, home }) =>
    path.join(env.CLAUDE_CONFIG_DIR || path.join(home, ".claude"), "settings.json"),
  toEntry: (call) => toGroup(call, { timeout: hookSeconds }),
  // On Windows it brings Git's.
  windowsShell: "sh",
};
