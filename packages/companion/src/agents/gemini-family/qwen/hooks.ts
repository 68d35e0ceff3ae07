import path from "node:path";
import {
  type AgentHooks,
  claudeEvents,
  claudeFields,
  contextOf,
  hookSeconds,
  pathIn,
  toGroup,
} from "../../hooks.ts";
import { qwenHome } from "./agent.ts";

/** @see docs/start/written-changes.md#what-is-recorded */
export const qwenHooks: AgentHooks = {
  events: claudeEvents,
  tools: {
    edit: pathIn("file_path"),
    write_file: pathIn("file_path"),
    notebook_edit: pathIn("notebook_path"),
  },
  shell: "run_shell_command",
  fields: {
    ...claudeFields,
    turn: "prompt_id",
    // It calls for every request to the model: this one alone comes with what the user has typed.
    prompt: "submitted_prompt",
  },
  settingsPath: (host) => path.join(qwenHome(host), "settings.json"),
  toEntry: (call) =>
    toGroup(call, {
      timeout: hookSeconds,
      // Without a word it takes the shell in which it was started.
      ...(call.shell === "powershell" && { shell: "powershell" }),
    }),
  toContext: contextOf("UserPromptSubmit", "PostToolUse"),
  windowsShell: "powershell",
};
