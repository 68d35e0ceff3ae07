import { writeFileSync } from "node:fs";
import path from "node:path";
import { opencodeHome } from "./homes.ts";
import type { AgentHooks, HookEntry } from "./hooks.ts";
import { changePatch, pathIn, pathsOfPatch, replaceIn, runs } from "./hooks-in-common.ts";
import { attemptPatch } from "./opencode-patch.ts";

/**
 * opencode has no hooks: a plugin of ours calls us in their place, and does what we answer. It is the same in all
 * versions, and whatever goes wrong in it, opencode goes on.
 */
const toPlugin = (entries: readonly HookEntry[]): string => `\
// Lets ide-companion record what opencode writes, and ask before. ide-companion uninstall opencode removes it.
import { spawn } from "node:child_process";

const rules = {
${entries.map(({ event, entry }) => `  "${event}": ${JSON.stringify(entry)},`).join("\n")}
};

export const IdeCompanion = async ({ client, directory }) => {
  const waiting = new Set();
  const call = (event, input) =>
    new Promise((resolve) => {
      const { tools, seconds } = rules[event];
      if (tools && !tools.split("|").includes(input.tool)) return resolve("");
      const child = spawn("ide-companion", ["hook", "opencode", event], {
        cwd: directory,
        signal: AbortSignal.timeout(seconds * 1000),
        stdio: ["pipe", "pipe", "ignore"],
        windowsHide: true,
        shell: process.platform === "win32",
      });
      const one = {
        session: input.sessionID,
        stop() {
          child.kill();
          resolve('{ "deny": "The user has stopped this." }');
        },
      };
      if (event === "tool.execute.before") waiting.add(one);
      let text = "";
      const end = () => {
        waiting.delete(one);
        resolve(text);
      };
      child.on("error", end).on("close", end);
      child.stdout.on("data", (part) => (text += part));
      child.stdin.on("error", () => {}).end(JSON.stringify(input));
    }).then((answer) => (answer === "" ? {} : JSON.parse(answer)));
  const guard = (handle) => async (input, output) => {
    const denial = await handle(input, output).catch(() => {});
    if (denial) throw new Error(denial);
  };
  return {
    "chat.message": guard(async ({ sessionID }, { parts }) => {
      const prompt = parts.find(({ type, synthetic }) => type === "text" && !synthetic)?.text;
      await call("chat.message", { sessionID, prompt });
    }),
    "tool.execute.before": guard(async ({ tool, sessionID, callID }, { args }) => {
      const answer = await call("tool.execute.before", { tool, sessionID, callID, args });
      Object.assign(args, answer.args);
      return answer.deny;
    }),
    "tool.execute.after": guard(async ({ tool, sessionID, callID, args }, result) => {
      const { context } = await call("tool.execute.after", { tool, sessionID, callID, args });
      if (context) result.output += "\\n\\n" + context;
    }),
    event: guard(async ({ event: { type, properties } }) => {
      const { sessionID, id, metadata } = properties;
      if (type === "session.idle") {
        // It writes all the same when a turn was stopped while we waited.
        for (const one of waiting) if (one.session === sessionID) one.stop();
        await call(type, { sessionID });
      }
      if (type === "permission.asked") {
        const files = metadata.files?.flatMap(({ filePath, movePath = [] }) => [filePath].concat(movePath));
        const args = { filePath: files ?? metadata.filepath };
        const asked = { tool: properties.permission, sessionID, args };
        const { reply } = await call(type, asked);
        const where = { id: sessionID, permissionID: id };
        if (reply) await client.postSessionIdPermissionsPermissionId({ path: where, body: { response: reply } });
      }
    }),
  };
};
`;

/**
 * Its plugin names the events, and which fields a call has.
 * @see docs/start/written-changes.md#what-is-recorded
 */
export const opencodeHooks: AgentHooks = {
  events: {
    "chat.message": "turn-start",
    "tool.execute.before": "before-tool",
    "permission.asked": "asks",
    "tool.execute.after": "after-tool",
    "session.idle": "turn-end",
  },
  tools: {
    edit: pathIn("filePath"),
    write: pathIn("filePath"),
    apply_patch: ({ patchText }) => pathsOfPatch({ command: patchText }),
  },
  shell: "bash",
  fields: { session: "sessionID", prompt: "prompt", tool: "tool", input: "args", call: "callID" },
  settingsPath: (host) => path.join(opencodeHome(host), "plugins", "ide-companion.js"),
  toOwnFile: toPlugin,
  toEntry: ({ tools, seconds }) => ({ seconds, ...(tools !== undefined && { tools }) }),
  windowsShell: "cmd",
  toContext: (event) => (event === "tool.execute.after" ? (context) => ({ context }) : undefined),
  ask: {
    isAttended: ({ hasTerminal, command }) => hasTerminal && !runs(command, "run|serve|web|acp|github"),
    hold: {
      seconds: 24 * 3600,
      // It does not connect to every companion.
      program: "opencode",
      attempt({ patchText, content, oldString, newString, replaceAll }, names, folder) {
        if (typeof patchText === "string") return attemptPatch(patchText, names, folder);
        const file = path.join(folder, "0");
        if (typeof content === "string") return writeFileSync(file, content);
        if (oldString === "") return writeFileSync(file, String(newString));
        replaceIn(file, [oldString, newString], replaceAll === true);
      },
      deny: (deny) => ({ deny }),
      change(input, before, text, lineEnd) {
        // It does not find all of a text that begins with a byte order mark, and writes something near.
        if (before.startsWith("\uFEFF")) return undefined;
        if ("patchText" in input) {
          // It leaves out one of several line feeds at the end.
          if (/^\n$|\n\n$/.test(text)) return undefined;
          const patch = changePatch(String(input.patchText), before, text);
          return patch === undefined ? undefined : { args: { patchText: patch.replaceAll("\n", lineEnd) } };
        }
        return { args: "content" in input ? { content: text } : { oldString: before, newString: text } };
      },
      permit: { reply: "once" },
    },
  },
};
