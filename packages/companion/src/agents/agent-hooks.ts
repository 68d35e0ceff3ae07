import { writeFileSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "../system/json.ts";
import { claudeHome, codexHome, copilotHome, geminiHome, qwenHome } from "./homes.ts";
import type { AgentHooks, HookCall, PathsOf } from "./hooks.ts";
import {
  changePatch,
  fileLine,
  pathIn,
  pathsOfPatch,
  readPatch,
  replaceIn,
  runs,
} from "./hooks-in-common.ts";
import { opencodeHooks } from "./opencode-hooks.ts";

/** A question of Copilot CLI names it in another field. */
const copilotPath: PathsOf = (input) => [...pathIn("path")(input), ...pathIn("file_path")(input)];

/** A patch, or a command of the shell that is nothing else. */
const onlyPatch =
  /^\s*(?:apply_?patch\s+<<\s*["']?(\w+)["']?\r?\n)?(\*\*\* Begin Patch\r?\n[\s\S]*\n\*\*\* End Patch)(?:\r?\n\1)?\s*$/;

/** As Claude Code takes the refusal of a call, and other CLIs after it. */
const denyTool = (permissionDecisionReason: string): JsonObject => ({
  hookSpecificOutput: {
    ...{ hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason },
  },
});

/** As Claude Code has its entries, and other CLIs after it. */
const toGroup = ({ tools, toLine, shell }: HookCall, more: JsonObject): JsonObject => ({
  ...(tools !== undefined && { matcher: tools }),
  hooks: [{ type: "command", command: toLine(shell), ...more }],
});

/** As Claude Code takes a text, and other CLIs after it. @param events those that it takes one with */
const contextOf =
  (...events: readonly string[]): NonNullable<AgentHooks["toContext"]> =>
  (hookEventName) =>
    events.includes(hookEventName)
      ? (additionalContext) => ({ hookSpecificOutput: { hookEventName, additionalContext } })
      : undefined;

/** As Claude Code has its hooks, and other CLIs after it. */
const usual = {
  events: {
    UserPromptSubmit: "turn-start",
    PreToolUse: "before-tool",
    PostToolUse: "after-tool",
    PostToolUseFailure: "after-tool",
    Stop: "turn-end",
    SessionEnd: "session-end",
  },
  fields: {
    session: "session_id",
    prompt: "prompt",
    tool: "tool_name",
    input: "tool_input",
    call: "tool_use_id",
  },
  toEntry: (call) => toGroup(call, { timeout: call.seconds }),
  toContext: contextOf("UserPromptSubmit", "PostToolUse"),
} as const satisfies Partial<AgentHooks>;

/**
 * By the agent's name as typed. Nothing else of an agent is loaded: a CLI waits for each hook.
 * @see docs/start/written-changes.md#what-is-recorded
 */
export const agentHooks: Readonly<Record<string, AgentHooks>> = {
  claude: {
    ...usual,
    tools: {
      Edit: pathIn("file_path"),
      Write: pathIn("file_path"),
      NotebookEdit: pathIn("notebook_path"),
    },
    shell: "Bash",
    events: { ...usual.events, PermissionRequest: "asks" },
    fields: { ...usual.fields, turn: "prompt_id" },
    settingsPath: (host) => path.join(claudeHome(host), "settings.json"),
    // On Windows it brings Git's.
    windowsShell: "sh",
    ask: {
      answer: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "ask" } },
      deny: (message) => ({
        hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny", message } },
      }),
      isAttended: ({ hasTerminal }, { CLAUDE_CODE_SESSION_ATTENDED }) =>
        hasTerminal && CLAUDE_CODE_SESSION_ATTENDED === "1",
    },
  },
  gemini: {
    events: {
      BeforeAgent: "turn-start",
      BeforeTool: "before-tool",
      AfterTool: "after-tool",
      AfterAgent: "turn-end",
      SessionEnd: "session-end",
    },
    tools: { replace: pathIn("file_path"), write_file: pathIn("file_path") },
    shell: "run_shell_command",
    fields: usual.fields,
    settingsPath: (host) => path.join(geminiHome(host), "settings.json"),
    // It counts milliseconds, and shows the name while the hook runs.
    toEntry: (call) => toGroup(call, { name: "ide-companion", timeout: call.seconds * 1000 }),
    toContext: contextOf("BeforeAgent", "AfterTool"),
    windowsShell: "powershell",
    // Its documentation does not have it. A version that does not know it goes on as if there were no answer.
    ask: {
      answer: { decision: "ask" },
      isAttended: ({ hasTerminal, command }) =>
        hasTerminal && !/\s(?:-p|--prompt|-o|--output-format)(?:[\s=]|$)/.test(command),
    },
  },
  qwen: {
    ...usual,
    tools: {
      edit: pathIn("file_path"),
      write_file: pathIn("file_path"),
      notebook_edit: pathIn("notebook_path"),
    },
    shell: "run_shell_command",
    // It calls for every request to the model: this one alone comes with what the user has typed.
    fields: { ...usual.fields, turn: "prompt_id", prompt: "submitted_prompt" },
    settingsPath: (host) => path.join(qwenHome(host), "settings.json"),
    // Without a word it takes the shell in which it was started.
    toEntry: (call) =>
      toGroup(call, { timeout: call.seconds, ...(call.shell === "powershell" && { shell: "powershell" }) }),
    windowsShell: "powershell",
    ask: {
      // In its other modes it asks, with a diff in the editor, before it calls us.
      isAttended: ({ hasTerminal, command }, _, mode = "") =>
        hasTerminal && /^(?:yolo|auto[-_]edit)$/.test(mode) && !/\s(?:-p|--prompt)(?:[\s=]|$)/.test(command),
      hold: {
        // It waits for a minute, and writes then.
        seconds: 55,
        attempt({ content, old_string, new_string, replace_all }, _, folder) {
          const file = path.join(folder, "0");
          if (typeof content === "string") return writeFileSync(file, content);
          if (old_string === "") return writeFileSync(file, String(new_string), { flag: "wx" });
          replaceIn(file, [old_string, new_string], replace_all === true);
        },
        deny: denyTool,
      },
    },
  },
  codex: {
    ...usual,
    events: {
      UserPromptSubmit: "turn-start",
      PreToolUse: "before-tool",
      PermissionRequest: "asks",
      PostToolUse: "after-tool",
      Stop: "turn-end",
      Interrupt: "turn-end",
      SessionEnd: "session-end",
    },
    tools: { apply_patch: pathsOfPatch, Bash: pathsOfPatch },
    shell: "Bash",
    fields: { ...usual.fields, turn: "turn_id" },
    settingsPath: (host) => path.join(codexHome(host), "hooks.json"),
    // It allows no more than three seconds for some of them.
    toEntry: (call) =>
      toGroup(call, { timeout: /^(?:SessionEnd|Interrupt)$/.test(call.event) ? 3 : call.seconds }),
    windowsShell: "cmd",
    next: "Codex CLI asks once whether you trust these hooks: type /hooks in it, and trust them. Before, it calls none of them.",
    ask: {
      // The service that terminals of its users share has none.
      isAttended: ({ command, hasTerminal }) =>
        runs(command, "app-server") || (hasTerminal && !runs(command, "exec|e|review")),
      hold: {
        seconds: 24 * 3600,
        program: "codex",
        // By the program that it brings in the PATH of all that it starts.
        attempt({ command }, names, cwd) {
          const { patch, toPath } = readPatch(String(command));
          const [, , only = ""] = onlyPatch.exec(patch) ?? [];
          const toNumber = (_: string, head: string, name: string, end: string) =>
            `${head}${names.indexOf(toPath(name))}${end}`;
          const input = only.replace(fileLine, toNumber);
          const { execFileSync } = process.getBuiltinModule("node:child_process");
          // On Windows it is a script.
          execFileSync("apply_patch", {
            ...{ cwd, input, stdio: "pipe", timeout: 10_000, windowsHide: true },
            shell: process.platform === "win32",
          });
        },
        deny: denyTool,
        // The rest of a script runs after a patch with another text, not after a refused one.
        change({ command: patch }, before, text) {
          const command = changePatch(String(patch), before, text);
          if (command === undefined) return undefined;
          const decision = { permissionDecision: "allow", updatedInput: { command } };
          return { hookSpecificOutput: { hookEventName: "PreToolUse", ...decision } };
        },
        permit: {
          hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
        },
      },
    },
  },
  copilot: {
    events: {
      userPromptSubmitted: "turn-start",
      preToolUse: "before-tool",
      permissionRequest: "asks",
      postToolUse: "after-tool",
      postToolUseFailure: "after-tool",
      agentStop: "turn-end",
      sessionEnd: "session-end",
    },
    tools: { edit: copilotPath, create: copilotPath },
    shell: "bash",
    fields: {
      session: "sessionId",
      prompt: "prompt",
      tool: "toolName",
      input: "toolArgs",
      asked: "toolInput",
    },
    settingsPath: (host) => path.join(copilotHome(host), "hooks", "ide-companion.json"),
    toOwnFile: (entries) => {
      const hooks = Object.fromEntries(entries.map(({ event, entry }) => [event, [entry]]));
      return `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`;
    },
    // Its calls do not say which event they are of: the line does.
    toEntry: ({ event, tools, toLine, seconds }) => ({
      type: "command",
      bash: toLine("sh", event),
      powershell: toLine("powershell", event),
      timeoutSec: seconds,
      ...(tools !== undefined && { matcher: tools }),
    }),
    toContext: (event) =>
      event === "postToolUse" ? (additionalContext) => ({ additionalContext }) : undefined,
    windowsShell: "powershell",
    ask: {
      isAttended: ({ hasTerminal, command }) => hasTerminal && !/\s(?:-p|--prompt)(?:[\s=]|$)/.test(command),
      hold: {
        // It cannot be stopped before its hook ends.
        seconds: 600,
        // In a folder below the editor's it does not connect.
        program: "copilot",
        attempt({ file_text, old_str, new_str }, _, folder) {
          const file = path.join(folder, "0");
          if (typeof file_text === "string") return writeFileSync(file, file_text, { flag: "wx" });
          replaceIn(file, [old_str, new_str]);
        },
        deny: (permissionDecisionReason) => ({ permissionDecision: "deny", permissionDecisionReason }),
        change: (input, before, text) => ({
          permissionDecision: "allow",
          modifiedArgs: {
            ...input,
            ...("file_text" in input ? { file_text: text } : { old_str: before, new_str: text }),
          },
        }),
        permit: { behavior: "allow" },
        toProgress: (message) => ({ type: "progress", message, temporary: true }),
      },
    },
  },
  opencode: opencodeHooks,
};
