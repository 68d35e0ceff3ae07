import path from "node:path";
import type { Host } from "../../system/host.ts";
import type { IdeSettings } from "../agent.ts";
import { findEntries, findSetting, readSettingsFile, type SettingsFile } from "../doctor/settings-files.ts";

/** The folder that its variable names, or else the one in the home folder. Its settings are in this one alone. */
const configFolder = ({ env, home }: Host): string => env.CLAUDE_CONFIG_DIR || path.join(home, ".claude");

/** Where it keeps what `/config` changes: in the named folder, or else next to the usual one. */
const configFile = ({ env, home }: Host): string => path.join(env.CLAUDE_CONFIG_DIR || home, ".claude.json");

/** What the user has set in the CLI. */
export interface ClaudeSettings {
  readonly config: SettingsFile | undefined;
  /** Absolute path of that file, also where there is none. */
  readonly configPath: string;
  /** Permissions, weakest first. */
  readonly files: readonly SettingsFile[];
  /** The user's own of these files, absolute, also where there is none. */
  readonly userPath: string;
}

export function loadClaudeSettings(host: Host, folder: string): ClaudeSettings {
  const userPath = path.join(configFolder(host), "settings.json");
  const own = path.join(folder, ".claude");
  const files = [userPath, path.join(own, "settings.json"), path.join(own, "settings.local.json")];
  return {
    config: readSettingsFile(configFile(host)),
    configPath: configFile(host),
    files: files.flatMap((file) => readSettingsFile(file) ?? []),
    userPath,
  };
}

/** Connects at its start to the one companion of its folder; without it the user types `/ide`. */
export const claudeIdeSettings = (host: Host): IdeSettings => ({
  path: configFile(host),
  values: [{ key: ["autoConnectIde"], value: true }],
  next: [
    'Version 2.1 may start in auto mode, which shows no diffs: shift+tab leaves it; "permissions": { "ask": ["Edit", "Write"] } ' +
      `in ${path.join(configFolder(host), "settings.json")} makes it ask in every mode.`,
  ],
});

/** Who decides on an edit of a file. */
export interface EditPermission {
  readonly evidence: string;
  /** Why no diff is shown; absent when the user is asked. */
  readonly fault?: string;
}

/** An entry that allows the change of every file. */
const wholeTool = /^(Write|Edit(\(\*{1,2}\))?)$/;

/** @param startsInAutoMode whether this version does where nothing is set */
export function findEditPermission({ files }: ClaudeSettings, startsInAutoMode: boolean): EditPermission {
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
