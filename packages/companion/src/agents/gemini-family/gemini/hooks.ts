import path from "node:path";
import { type AgentHooks, claudeFields, contextOf, hookSeconds, pathIn, toGroup } from "../../hooks.ts";

/** @see docs/start/written-changes.md#what-is-recorded */
export const geminiHooks: AgentHooks = {
  events: {
    BeforeAgent: "turn-start",
    BeforeTool: "before-tool",
    AfterTool: "after-tool",
    AfterAgent: "turn-end",
    SessionEnd: "session-end",
  },
  tools: { replace: pathIn("file_path"), write_file: pathIn("file_path") },
  shell: "run_shell_command",
  fields: claudeFields,
  settingsPath: ({ env, home, tmp }) =>
    path.join(env.GEMINI_CLI_HOME || home || tmp, ".gemini", "settings.json"),
  // It counts milliseconds, and shows the name while the hook runs.
  toEntry: (call) => toGroup(call, { name: "ide-companion", timeout: hookSeconds * 1000 }),
  toContext: contextOf("BeforeAgent", "AfterTool"),
  windowsShell: "powershell",
  // Its documentation does not have it. A version that does not know it goes on as if there were no answer.
  ask: {
    answer: { decision: "ask" },
    isAttended: (_, command) => !/\s(?:-p|--prompt|-o|--output-format)(?:[\s=]|$)/.test(command),
  },
};
