import { existsSync } from "node:fs";
import path from "node:path";
import { foldersUpwards } from "../../../system/disk.ts";
import type { Host } from "../../../system/host.ts";
import type { IdeSettings } from "../../agent.ts";
import type { FolderTrust, LoadedEnvironment, Place, SettingsFindings } from "../../doctor/checked-cli.ts";
import { addEnvFiles } from "../../doctor/environment.ts";
import { type Finding, failed, ok } from "../../doctor/finding.ts";
import { checkFiles, findEntries, findSetting } from "../../doctor/settings-files.ts";
import { qwenHome } from "../../homes.ts";
import {
  checkIdeMode,
  describeSandbox,
  findTrust,
  type LoadedSettings,
  loadSettings,
  type SettingsPaths,
  systemPaths,
} from "../settings-checks.ts";

/** Names under which a permission covers the tools whose changes it shows as a diff. */
const writers = ["edit", "Edit", "EditTool", "write_file", "WriteFile", "WriteFileTool", "Write"];

/** What of Qwen Code's settings decides on IDE mode and diffs. */
export function checkQwenSettings(place: Place): SettingsFindings {
  const paths = qwenPaths(place);
  const settings = loadSettings(paths, place);
  const execution = findSetting(settings.files, "tools.executionSandbox");
  return {
    // It refuses to start where one of them is damaged.
    settings: checkFiles(settings.files, `this folder is ${settings.trusted ? "" : "not "}trusted`),
    // Older settings files have the names on one level.
    "ide-mode": checkIdeMode(settings, paths, ["ide.enabled", "ideMode"]),
    approval: checkApproval(settings, paths),
    sandbox: execution
      ? failed(
          `Take tools.executionSandbox out of ${execution.path}.`,
          `tools.executionSandbox is set in ${execution.path}, and switches IDE mode off`,
        )
      : describeSandbox("QWEN_SANDBOX", settings, place),
  };
}

/** Whether the user has asked Qwen's CLI to trust the folder. */
export const qwenTrusts = (place: Place): FolderTrust | undefined => findTrust(qwenPaths(place), place);

/** What in the user's own settings switches IDE mode on, and lets it ask before it writes. */
export const qwenIdeSettings = (host: Host): IdeSettings => ({
  path: path.join(qwenHome(host), "settings.json"),
  values: [
    { key: ["ide", "enabled"], value: true },
    { key: ["tools", "approvalMode"], value: "default", unlessSet: true },
  ],
});

/** Where its settings are. */
function qwenPaths(place: Pick<Place, "host" | "platform">): SettingsPaths {
  const user = qwenHome(place.host);
  return {
    ...systemPaths(place, { prefix: "QWEN_CODE", app: "QwenCode", folder: "qwen-code" }),
    user,
    workspace: ".qwen",
    trustedFolders: place.host.env.QWEN_CODE_TRUSTED_FOLDERS_PATH || path.join(user, "trustedFolders.json"),
    trustByDefault: false,
    forcedTrust: undefined,
  };
}

/** It opens a diff only for what it asks about, and asks about every change in its mode `default` alone. */
function checkApproval(settings: LoadedSettings, paths: SettingsPaths): Finding {
  const found =
    findSetting(settings.files, "tools.approvalMode") ?? findSetting(settings.files, "approvalMode");
  const mode = settings.trusted ? String(found?.value ?? "auto").toLowerCase() : "default";
  if (mode !== "default") {
    const file = found?.path ?? path.join(paths.user, "settings.json");
    const source = found ? `is "${mode}" in ${file}` : `is not set, which means "auto"`;
    return failed(`Set "tools": { "approvalMode": "default" } in ${file}.`, `tools.approvalMode ${source}`);
  }
  for (const key of ["permissions.allow", "tools.allowed"]) {
    const allowed = findEntries(settings.files, key).find(({ entry }) =>
      writers.includes(entry.split("(")[0] ?? ""),
    );
    if (!allowed) continue;
    const { entry, path: file } = allowed;
    return failed(`Take "${entry}" out of ${key} in ${file}.`, `${key} in ${file} has "${entry}"`);
  }
  const source = settings.trusted ? `in ${found?.path}` : "because this folder is not trusted";
  return ok(`approval mode default, ${source}`);
}

/** What it takes from no file of a project, of all that has to do with its IDE. */
const fromUserOnly = /^(QWEN_HOME|QWEN_CODE_(SYSTEM|TRUSTED)_\w+|(QWEN_)?SANDBOX|TMPDIR|TE?MP)$/;

/**
 * What Qwen Code adds to its variables: from its user's files, which may give it another home with one more file, and
 * from the nearest file of the project.
 */
export function loadQwenEnvironment(place: Place): LoadedEnvironment {
  const { host, folder } = place;
  const isUnset = (value: string | undefined) => value === undefined || value === "";
  const first = addEnvFiles(host.env, userEnvFiles(host), isUnset);
  const moved = { ...host, env: first.env };
  const second = addEnvFiles(first.env, userEnvFiles(moved), isUnset);
  const { trusted } = loadSettings(qwenPaths({ ...place, host: moved }), place);
  const nearest = foldersUpwards(folder)
    .flatMap((each) => [path.join(each, ".qwen", ".env"), path.join(each, ".env")])
    .find((file) => existsSync(file));
  const project = addEnvFiles(
    second.env,
    trusted && nearest !== undefined ? [nearest] : [],
    (value, name) => isUnset(value) && !fromUserOnly.test(name),
  );
  return { env: project.env, sources: { ...first.sources, ...second.sources, ...project.sources } };
}

const userEnvFiles = (host: Host): readonly string[] =>
  [...new Set([qwenHome(host), path.join(host.home, ".qwen"), host.home])].map((each) =>
    path.join(each, ".env"),
  );
