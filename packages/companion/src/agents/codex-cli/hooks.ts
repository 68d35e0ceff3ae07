import path from "node:path";
import { type AgentHooks, claudeFields, contextOf, hookSeconds, type PathsOf, toGroup } from "../hooks.ts";

/** The paths of a patch, which older models give to their shell. A file that is moved has two. */
const pathsOfPatch: PathsOf = ({ command }) =>
  typeof command === "string" && command.includes("*** Begin Patch")
    ? [...command.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\r?$/gm)].map(
        ([, name = ""]) => name,
      )
    : [];

/** @see docs/start/written-changes.md#what-is-recorded */
export const codexHooks: AgentHooks = {
  events: {
    UserPromptSubmit: "turn-start",
    PreToolUse: "before-tool",
    PostToolUse: "after-tool",
    Stop: "turn-end",
    Interrupt: "turn-end",
    SessionEnd: "session-end",
  },
  tools: { apply_patch: pathsOfPatch, Bash: pathsOfPatch },
  shell: "Bash",
  fields: { ...claudeFields, turn: "turn_id" },
  settingsPath: ({ env, home }) => path.join(env.CODEX_HOME || path.join(home, ".codex"), "hooks.json"),
  // It allows no more than three seconds for some of them.
  toEntry: (call) =>
    toGroup(call, { timeout: /^(?:SessionEnd|Interrupt)$/.test(call.event) ? 3 : hookSeconds }),
  toContext: contextOf("UserPromptSubmit", "PostToolUse"),
  windowsShell: "cmd",
  next: "Codex CLI asks once whether you trust these hooks: type /hooks in it, and trust them. Before, it calls none of them.",
};
