import path from "node:path";
import type { Host } from "../../system/host.ts";
import type { IdeSettings } from "../agent-cli.ts";
import type { Environment, SettingsCheck } from "./family-cli.ts";
import { qwenHome } from "./qwen-folders.ts";
import { describeSandbox } from "./sandbox.ts";
import {
  checkFiles,
  checkIdeMode,
  findTrust,
  type LoadedSettings,
  loadSettings,
  type SettingsPaths,
} from "./settings-checks.ts";
import { findEntries, findSetting } from "./settings-files.ts";

/** Names under which a permission covers the tools whose changes it shows as a diff. */
const writers = ["edit", "Edit", "EditTool", "write_file", "WriteFile", "WriteFileTool", "Write"];

/** What of Qwen Code's settings decides on IDE mode and diffs. */
export function checkQwenSettings(environment: Environment): readonly SettingsCheck[] {
  const paths = qwenPaths(environment);
  const settings = loadSettings(paths, environment);
  const execution = findSetting(settings.files, "tools.executionSandbox");
  const setting = findSetting(settings.files, "tools.sandbox");
  return [
    checkFiles(settings),
    // Older settings files have the names on one level.
    checkIdeMode(settings, paths, ["ide.enabled", "ideMode"]),
    checkApproval(settings, paths),
    execution
      ? {
          id: "sandbox",
          title: "Sandbox",
          evidence: [`tools.executionSandbox is set in ${execution.path}, and switches IDE mode off`],
          remedy: `Take tools.executionSandbox out of ${execution.path}.`,
        }
      : describeSandbox({ variable: "QWEN_SANDBOX", setting, environment }),
  ];
}

/** Whether the user has asked Qwen's CLI to trust the folder. */
export const qwenTrusts = (environment: Environment): boolean | undefined =>
  findTrust(qwenPaths(environment), environment);

/** What in the user's own settings switches IDE mode on, and lets it ask before it writes. */
export const qwenIdeSettings = (host: Host): IdeSettings => ({
  path: path.join(qwenHome(host), "settings.json"),
  values: [
    { key: ["ide", "enabled"], value: true },
    { key: ["tools", "approvalMode"], value: "default", unlessSet: true },
  ],
});

/** Where its settings are. */
export function qwenPaths({ host, platform }: Pick<Environment, "host" | "platform">): SettingsPaths {
  const { env } = host;
  const user = qwenHome(host);
  const system = env.QWEN_CODE_SYSTEM_SETTINGS_PATH || systemSettings(platform);
  return {
    user,
    workspace: ".qwen",
    system,
    systemDefaults:
      env.QWEN_CODE_SYSTEM_DEFAULTS_PATH || path.join(path.dirname(system), "system-defaults.json"),
    trustedFolders: env.QWEN_CODE_TRUSTED_FOLDERS_PATH || path.join(user, "trustedFolders.json"),
    trustByDefault: false,
    forcedTrust: undefined,
  };
}

function systemSettings(platform: NodeJS.Platform): string {
  if (platform === "darwin") return "/Library/Application Support/QwenCode/settings.json";
  return platform === "win32" ? "C:\\ProgramData\\qwen-code\\settings.json" : "/etc/qwen-code/settings.json";
}

/** It opens a diff only for what it asks about, and asks about every change in its mode `default` alone. */
function checkApproval(settings: LoadedSettings, paths: SettingsPaths): SettingsCheck {
  const found =
    findSetting(settings.files, "tools.approvalMode") ?? findSetting(settings.files, "approvalMode");
  const mode = settings.trusted ? String(found?.value ?? "auto").toLowerCase() : "default";
  const check = { id: "approval", title: "Asks before it writes" } as const;
  if (mode !== "default") {
    const file = found?.path ?? path.join(paths.user, "settings.json");
    const source = found ? `is "${mode}" in ${file}` : `is not set, which means "auto"`;
    return {
      ...check,
      evidence: [`tools.approvalMode ${source}`],
      remedy: `Set "tools": { "approvalMode": "default" } in ${file}.`,
    };
  }
  for (const key of ["permissions.allow", "tools.allowed"]) {
    const allowed = findEntries(settings.files, key).find(({ entry }) =>
      writers.includes(entry.split("(")[0] ?? ""),
    );
    if (!allowed) continue;
    return {
      ...check,
      evidence: [`${key} in ${allowed.path} has "${allowed.entry}"`],
      remedy: `Take "${allowed.entry}" out of ${key} in ${allowed.path}.`,
    };
  }
  const source = settings.trusted ? `in ${found?.path}` : "because this folder is not trusted";
  return { ...check, evidence: [`approval mode default, ${source}`] };
}
