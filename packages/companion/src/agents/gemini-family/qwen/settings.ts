import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import type { Host } from "../../../system/host.ts";
import { isObject } from "../../../system/json.ts";
import type { IdeSettings } from "../../agent.ts";
import { findEntries, findSetting } from "../../doctor/settings-files.ts";
import {
  addEnvFiles,
  type EnvFile,
  foldersUpwards,
  type LoadedEnvironment,
  readEnvFile,
} from "../environment.ts";
import type { Environment, FolderTrust, SettingsCheck } from "../family-cli.ts";
import {
  checkFiles,
  checkIdeMode,
  describeSandbox,
  findTrust,
  isDistrusted,
  type LoadedSettings,
  loadSettings,
  type SettingsPaths,
} from "../settings-checks.ts";
import { qwenHome } from "./agent.ts";

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
export const qwenTrusts = (environment: Environment): FolderTrust | undefined =>
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
function qwenPaths({ host, platform }: Pick<Environment, "host" | "platform">): SettingsPaths {
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

type Start = Pick<Environment, "host" | "folder" | "platform">;

/** It takes these from its user's own files before it reads its settings, because they move them. */
const early = ["QWEN_HOME", "QWEN_CODE_TRUSTED_FOLDERS_PATH"];

/** Of those that have to do with its IDE, it takes these from no project. */
const fromUserOnly = [
  ...early,
  "QWEN_CODE_SYSTEM_SETTINGS_PATH",
  "QWEN_CODE_SYSTEM_DEFAULTS_PATH",
  "QWEN_SANDBOX",
  "SANDBOX",
  "TMPDIR",
  "TMP",
  "TEMP",
];
const excludedByDefault = ["DEBUG", "DEBUG_MODE"];

/** What Qwen Code adds to its variables: those of its user's files, of one file of the project, and of its settings. */
export function loadQwenEnvironment(start: Start): LoadedEnvironment {
  const first = loadEarly(start);
  const { host } = start;
  const moved = { ...start, host: { ...host, env: first.env } };
  const settings = loadSettings(qwenPaths(moved), moved);
  const { env, sources } = addEnvFiles(first.env, findFiles(moved, settings), isUnset);
  const own = settings.files.toReversed().flatMap(({ path: file, values, ignored }) => {
    const given = ignored === undefined ? findSetting([{ path: file, values }], "env")?.value : undefined;
    return Object.entries(isObject(given) ? given : {}).map(([name, value]) => ({ name, value, file }));
  });
  const all: Record<string, string | undefined> = { ...env };
  const from: Record<string, string> = { ...first.sources, ...sources };
  for (const { name, value, file } of own) {
    if (typeof value !== "string" || !isUnset(all[name]) || fromUserOnly.includes(name)) continue;
    all[name] = value;
    from[name] = file;
  }
  return { env: all, sources: from };
}

const isUnset = (value: string | undefined) => value === undefined || value === "";

function loadEarly({ host }: Start): LoadedEnvironment {
  const folder = qwenHome(host);
  const candidates = [folder, ...(host.env.QWEN_HOME ? [] : [path.dirname(folder)])];
  const found = candidates.map((each) => path.join(each, ".env"));
  const files = found.map((file) => toEarlyFile(file));
  const loaded = addEnvFiles(host.env, files, (value) => value === undefined);
  const moved = qwenHome({ ...host, env: loaded.env });
  if (moved === folder) return loaded;
  const more = addEnvFiles(
    loaded.env,
    [toEarlyFile(path.join(moved, ".env"))],
    (value) => value === undefined,
  );
  return { env: more.env, sources: { ...loaded.sources, ...more.sources } };
}

const toEarlyFile = (file: string): EnvFile => ({
  path: file,
  takes: (name) => early.includes(name) && readEnvFile(file)[name] !== "",
});

/** One file of the project, the nearest, and then its user's. */
function findFiles({ host, folder, platform }: Start, settings: LoadedSettings): readonly EnvFile[] {
  const usual = path.join(host.home, ".qwen");
  const users = [...new Set([qwenHome(host), usual, host.home])].map((each) => path.join(each, ".env"));
  const excluded = [
    ...excludedByDefault,
    ...findEntries(settings.files, "advanced.excludedEnvVars").map(({ entry }) => entry),
  ];
  const toFile = (file: string): EnvFile => ({
    path: file,
    takes(name) {
      if (users.includes(file)) return true;
      if (fromUserOnly.includes(name)) return false;
      return path.basename(path.dirname(file)) === ".qwen" || !excluded.includes(name);
    },
  });
  const project = findProjectFile(realPath(folder), { host, folder, platform }, settings, users);
  return [...(project === undefined ? [] : [project]), ...users.filter((file) => existsSync(file))].map(
    toFile,
  );
}

function findProjectFile(
  folder: string,
  start: Start,
  settings: LoadedSettings,
  users: readonly string[],
): string | undefined {
  if (!settings.trusted) return undefined;
  const { trustedFolders } = qwenPaths(start);
  for (const each of foldersUpwards(folder)) {
    if (each === start.host.home) return undefined;
    for (const file of [path.join(each, ".qwen", ".env"), path.join(each, ".env")]) {
      if (!existsSync(file)) continue;
      const rules = { file: trustedFolders, enabled: settings.asksForTrust };
      if (users.includes(file) || each === folder || !isDistrusted(each, rules)) return file;
    }
  }
  return undefined;
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder; // it is gone
  }
}
