import path from "node:path";
import {
  type AgentHooks,
  claudeEvents,
  claudeFields,
  contextOf,
  hookSeconds,
  pathIn,
  toGroup,
} from "../hooks.ts";

/** @see docs/start/written-changes.md#what-is-recorded */
export const claudeHooks: AgentHooks = {
  events: claudeEvents,
  tools: {
    Edit: pathIn("file_path"),
    Write: pathIn("file_path"),
    NotebookEdit: pathIn("notebook_path"),
  },
  shell: "Bash",
  fields: { ...claudeFields, turn: "prompt_id" },
  settingsPath: ({ env, home }) =>
    path.join(env.CLAUDE_CONFIG_DIR || path.join(home, ".claude"), "settings.json"),
  toEntry: (call) => toGroup(call, { timeout: hookSeconds }),
  toContext: contextOf("UserPromptSubmit", "PostToolUse"),
  // On Windows it brings Git's.
  windowsShell: "sh",
  ask: {
    answer: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" } },
    isAttended: ({ CLAUDE_CODE_SESSION_ATTENDED }) => CLAUDE_CODE_SESSION_ATTENDED === "1",
  },
};
