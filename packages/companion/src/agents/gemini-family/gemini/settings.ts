import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { foldersUpwards, namesIn } from "../../../system/disk.ts";
import type { Host } from "../../../system/host.ts";
import type { IdeSettings } from "../../agent.ts";
import type { FolderTrust, LoadedEnvironment, Place, SettingsFindings } from "../../doctor/checked-cli.ts";
import { addEnvFiles } from "../../doctor/environment.ts";
import { type Finding, failed, ok } from "../../doctor/finding.ts";
import { checkFiles, findEntries, findSetting } from "../../doctor/settings-files.ts";
import { geminiHome } from "../../homes.ts";
import {
  checkIdeMode,
  describeSandbox,
  findTrust,
  type LoadedSettings,
  loadSettings,
  type SettingsPaths,
  systemPaths,
} from "../settings-checks.ts";

/** The tools whose changes it shows as a diff. */
const writers = ["write_file", "replace"];

/** What of Gemini CLI's settings decides on IDE mode and diffs. */
export function checkGeminiSettings(place: Place): SettingsFindings {
  const paths = geminiPaths(place);
  const settings = loadSettings(paths, place);
  return {
    // It refuses to start where one of them is damaged.
    settings: checkFiles(settings.files, `this folder is ${settings.trusted ? "" : "not "}trusted`),
    "ide-mode": checkIdeMode(settings, paths),
    approval: checkApproval(settings, paths, place),
    sandbox: describeSandbox("GEMINI_SANDBOX", settings, place),
  };
}

/** Whether the user has asked Gemini's CLI to trust the folder. */
export const geminiTrusts = (place: Place): FolderTrust | undefined => findTrust(geminiPaths(place), place);

/** What in the user's own settings switches IDE mode on. */
export const geminiIdeSettings = (host: Host): IdeSettings => ({
  path: path.join(geminiHome(host), "settings.json"),
  values: [{ key: ["ide", "enabled"], value: true }],
});

/** Where its settings are. */
function geminiPaths(place: Pick<Place, "host" | "platform">): SettingsPaths {
  const { env } = place.host;
  const user = geminiHome(place.host);
  return {
    ...systemPaths(place, { prefix: "GEMINI_CLI", app: "GeminiCli", folder: "gemini-cli" }),
    user,
    workspace: ".gemini",
    trustedFolders: env.GEMINI_CLI_TRUSTED_FOLDERS_PATH || path.join(user, "trustedFolders.json"),
    trustByDefault: true,
    forcedTrust: toForcedTrust(env),
  };
}

function toForcedTrust(env: Host["env"]): boolean | undefined {
  if (env.GEMINI_RESTRICTED_MODE === "true" || env.GEMINI_CLI_TRUST_WORKSPACE === "false") return false;
  return env.GEMINI_CLI_TRUST_WORKSPACE === "true" ? true : undefined;
}

/** It opens a diff only for what it asks about. */
function checkApproval(settings: LoadedSettings, paths: SettingsPaths, { folder }: Place): Finding {
  const mode = findSetting(settings.files, "general.defaultApprovalMode");
  if (settings.trusted && (mode?.value === "auto_edit" || mode?.value === "plan")) {
    return failed(
      `Set "general": { "defaultApprovalMode": "default" } in ${mode.path}.`,
      `general.defaultApprovalMode is "${mode.value}" in ${mode.path}`,
    );
  }
  const allowed = findEntries(settings.files, "tools.allowed").find(({ entry }) => writers.includes(entry));
  if (allowed) {
    return failed(
      `Take "${allowed.entry}" out of tools.allowed in ${allowed.path}.`,
      `tools.allowed in ${allowed.path} lets ${allowed.entry} write without asking`,
    );
  }
  const folders = [path.join(paths.user, "policies"), path.join(folder, paths.workspace, "policies")];
  const policy = folders.map(findAllowingPolicy).find((found) => found !== undefined);
  if (policy) {
    return failed(
      `Take the rule that allows ${policy.tool} out of ${policy.file}.`,
      `a rule in ${policy.file} lets ${policy.tool} write without asking`,
    );
  }
  return ok(`approval mode ${settings.trusted ? (mode?.value ?? "default") : "default"}`);
}

/** What "allow for all future sessions" leaves behind: rules in TOML, of which only these two lines matter here. */
function findAllowingPolicy(folder: string): { readonly file: string; readonly tool: string } | undefined {
  for (const name of namesIn(folder).filter((each) => each.endsWith(".toml"))) {
    const file = path.join(folder, name);
    for (const rule of readFileSync(file, "utf8").split(/^\s*\[\[rule\]\]/m)) {
      const names = /^\s*toolName\s*=\s*(.+)$/m.exec(rule)?.[1] ?? "";
      const tool = writers.find((writer) => names.includes(`"${writer}"`));
      if (tool && /^\s*decision\s*=\s*"allow"/m.test(rule)) return { file, tool };
    }
  }
  return undefined;
}

/** What Gemini CLI adds to its variables: those of the one file that it finds first. */
export function loadGeminiEnvironment(place: Place): LoadedEnvironment {
  const { host, folder } = place;
  const { files, trusted } = loadSettings(geminiPaths(place), place);
  const ignoresLocal = findSetting(files, "advanced.ignoreLocalEnv")?.value === true;
  const home = host.env.GEMINI_CLI_HOME || host.home;
  const candidates = [...foldersUpwards(folder), home].flatMap((each) => [
    path.join(each, ".gemini", ".env"),
    ...(ignoresLocal && each !== home ? [] : [path.join(each, ".env")]),
  ]);
  const found = candidates.find((file) => existsSync(file));
  // Of what it takes all the same in a folder that is not trusted, nothing has to do with its IDE.
  const taken = found === undefined || !trusted ? [] : [found];
  return addEnvFiles(host.env, taken, (value) => value === undefined);
}
