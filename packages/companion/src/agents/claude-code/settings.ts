import path from "node:path";
import type { Host } from "../../system/host.ts";
import type { IdeSettings } from "../agent.ts";
import type { Place, SettingsFindings } from "../doctor/checked-cli.ts";
import { type Finding, failed, ok } from "../doctor/finding.ts";
import {
  checkFiles,
  findEntries,
  findSetting,
  readSettingsFile,
  type SettingsFile,
} from "../doctor/settings-files.ts";
import { claudeHome } from "../homes.ts";
import { isOlder } from "../installed-cli.ts";

/** Where it keeps what `/config` changes: in the named folder, or else next to the usual one. */
const configFile = ({ env, home }: Host): string => path.join(env.CLAUDE_CONFIG_DIR || home, ".claude.json");

/** Connects at its start to the one companion of its folder; without it the user types `/ide`. */
export const claudeIdeSettings = (host: Host): IdeSettings => ({
  path: configFile(host),
  values: [{ key: ["autoConnectIde"], value: true }],
  next: [
    'Version 2.1 may start in auto mode, which shows no diffs: shift+tab leaves it; "permissions": { "ask": ["Edit", "Write"] } ' +
      `in ${path.join(claudeHome(host), "settings.json")} makes it ask in every mode.`,
  ],
});

/** What the user has set that decides on the connection and on diffs. */
export function checkClaudeSettings({ host, folder }: Place, version: string | undefined): SettingsFindings {
  const configPath = configFile(host);
  const userPath = path.join(claudeHome(host), "settings.json");
  const own = path.join(folder, ".claude");
  const config = readSettingsFile(configPath);
  const files = [userPath, path.join(own, "settings.json"), path.join(own, "settings.local.json")].flatMap(
    (file) => readSettingsFile(file) ?? [],
  );
  const { evidence, fault } = findEditPermission(files, version === undefined || !isOlder(version, "2.1.0"));
  const ask = `Set "permissions": { "ask": ["Edit", "Write"] } in ${userPath}: it then asks in every mode.`;
  const tool = config && findSetting([config], "diffTool");
  return {
    settings: checkFiles([...(config ? [config] : []), ...files]),
    "ide-mode": checkAutoConnect(
      host.env,
      config && findSetting([config], "autoConnectIde")?.value,
      configPath,
    ),
    approval: fault === undefined ? ok(evidence) : failed(ask, evidence, fault),
    diffs:
      tool === undefined || tool.value === "auto"
        ? ok(`diffTool is ${tool === undefined ? "not set" : '"auto"'}`)
        : failed(
            `Set "diffTool": "auto" in ${configPath}.`,
            `diffTool is ${JSON.stringify(tool.value)} in ${configPath}`,
          ),
  };
}

/** Whether it looks for an editor alone, or waits for `/ide`. */
function checkAutoConnect(env: Host["env"], setting: unknown, file: string): Finding {
  const { CLAUDE_CODE_AUTO_CONNECT_IDE: wanted, CLAUDE_CODE_SSE_PORT: port } = env;
  if (wanted === "0") {
    return failed("Unset CLAUDE_CODE_AUTO_CONNECT_IDE.", "CLAUDE_CODE_AUTO_CONNECT_IDE=0 has the last word");
  }
  const terminal = editorTerminal(env);
  const reason =
    (wanted === "1" && "CLAUDE_CODE_AUTO_CONNECT_IDE=1") ||
    (port && "CLAUDE_CODE_SSE_PORT names a companion") ||
    (terminal && `this terminal is an editor's: ${terminal}`) ||
    (setting === true && `autoConnectIde is true in ${file}`);
  if (reason) return ok(reason);
  const value = setting === undefined ? "not set" : JSON.stringify(setting);
  return failed(
    "Switch it on: ide-companion install claude",
    `autoConnectIde is ${value} in ${file}`,
    "it waits until you type /ide",
  );
}

/** What makes the CLI take its terminal for an editor's. */
export function editorTerminal(env: Host["env"]): string | undefined {
  if (env.TERM_PROGRAM === "vscode") return "TERM_PROGRAM=vscode";
  if (/jetbrains/i.test(env.TERMINAL_EMULATOR ?? "")) return `TERMINAL_EMULATOR=${env.TERMINAL_EMULATOR}`;
  return env.FORCE_CODE_TERMINAL ? "FORCE_CODE_TERMINAL is set" : undefined;
}

/** An entry that allows the change of every file. */
const wholeTool = /^(Write|Edit(\(\*{1,2}\))?)$/;

/**
 * Who decides on an edit of a file: what tells it, and why no diff is shown, if so.
 * @param startsInAutoMode whether this version does where nothing is set
 */
function findEditPermission(files: readonly SettingsFile[], startsInAutoMode: boolean) {
  const asked = findEntries(files, "permissions.ask").filter(
    ({ entry }) => entry === "Edit" || entry === "Write",
  );
  const [edit, write] = ["Edit", "Write"].map((tool) => asked.find(({ entry }) => entry === tool));
  if (edit && write) return { evidence: `permissions.ask has Edit and Write in ${edit.path}` };
  const allowed = findEntries(files, "permissions.allow").find(({ entry }) => wholeTool.test(entry));
  if (allowed) {
    return {
      evidence: `permissions.allow has ${allowed.entry} in ${allowed.path}`,
      fault: "what is allowed it does without a question, and so without a diff",
    };
  }
  const mode = findSetting(files, "permissions.defaultMode");
  if (mode?.value === "default" || mode?.value === "plan") {
    return { evidence: `permissions.defaultMode is "${mode.value}" in ${mode.path}` };
  }
  if (mode) {
    const value = JSON.stringify(mode.value);
    return {
      evidence: `permissions.defaultMode is ${value} in ${mode.path}`,
      fault: "in this mode it changes files without a question, and so without a diff",
    };
  }
  if (!startsInAutoMode) return { evidence: "it asks, for no permission mode is set" };
  return {
    evidence: "no permission mode is set",
    fault:
      "version 2.1 may start in auto mode, which changes files without a question, and so without a diff",
  };
}
