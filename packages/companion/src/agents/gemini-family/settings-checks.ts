import path from "node:path";
import { z } from "zod";
import { isInside, toRealPath } from "../../files/workspace-path.ts";
import type { FolderTrust, Place } from "../doctor/checked-cli.ts";
import { toUnset } from "../doctor/environment.ts";
import { type Finding, failed, ok } from "../doctor/finding.ts";
import { findSetting, readSettingsFile, type SettingsFile } from "../doctor/settings-files.ts";

/** Where one agent CLI has its settings. */
export interface SettingsPaths {
  /** Folder of the user's own, absolute. */
  readonly user: string;
  /** Name of the folder in a workspace. */
  readonly workspace: string;
  /** The administrator's files, absolute: what holds unless somebody says otherwise, and what nobody may change. */
  readonly systemDefaults: string;
  readonly system: string;
  readonly trustedFolders: string;
  /** Whether folders have to be trusted when no setting says so. */
  readonly trustByDefault: boolean;
  /** Decides on the trust before all rules; undefined when it does not. */
  readonly forcedTrust: boolean | undefined;
}

/** How a CLI calls what its administrator may set. */
interface SystemNames {
  /** Of its variables. */
  readonly prefix: string;
  /** Of its folder among the applications of macOS. */
  readonly app: string;
  /** Of its folder elsewhere. */
  readonly folder: string;
}

export function systemPaths(
  { host: { env }, platform }: Pick<Place, "host" | "platform">,
  { prefix, app, folder }: SystemNames,
): Pick<SettingsPaths, "system" | "systemDefaults"> {
  const usual =
    {
      darwin: `/Library/Application Support/${app}/settings.json`,
      win32: `C:\\ProgramData\\${folder}\\settings.json`,
    }[String(platform)] ?? `/etc/${folder}/settings.json`;
  const system = env[`${prefix}_SYSTEM_SETTINGS_PATH`] || usual;
  const defaults = path.join(path.dirname(system), "system-defaults.json");
  return { system, systemDefaults: env[`${prefix}_SYSTEM_DEFAULTS_PATH`] || defaults };
}

/** What a CLI's settings are made of, weakest first, and whether it trusts its folder. */
export interface LoadedSettings {
  readonly files: readonly SettingsFile[];
  readonly trusted: boolean;
  /** Whether it compares folders with what the user trusts at all, and with what the IDE says. */
  readonly asksForTrust: boolean;
}

/** Reads the settings of a CLI that is started in a folder. */
export function loadSettings(paths: SettingsPaths, { folder, host }: Place): LoadedSettings {
  const read = (file: string) => readSettingsFile(file) ?? [];
  const defaults = [read(paths.systemDefaults), read(path.join(paths.user, "settings.json"))].flat();
  const system = [read(paths.system)].flat();
  const trustSetting = findSetting([...defaults, ...system], "security.folderTrust.enabled")?.value;
  const enabled = typeof trustSetting === "boolean" ? trustSetting : paths.trustByDefault;
  const trusted = paths.forcedTrust ?? (!enabled || isTrusted(folder, paths.trustedFolders));
  const own = path.join(folder, paths.workspace, "settings.json");
  const workspace = toRealPath(folder) === toRealPath(host.home) ? [] : [read(own)].flat();
  return {
    files: [
      ...defaults,
      ...workspace.map((file) => (trusted ? file : { ...file, ignored: "this folder is not trusted" })),
      ...system,
    ],
    trusted,
    asksForTrust: enabled && paths.forcedTrust === undefined,
  };
}

/** Whether the user trusts the folder; undefined when that is no question. */
export function findTrust(paths: SettingsPaths, place: Place): FolderTrust | undefined {
  const { trusted, asksForTrust } = loadSettings(paths, place);
  return asksForTrust ? { isTrusted: trusted, file: paths.trustedFolders } : undefined;
}

/** Whether IDE mode is switched on. */
export function checkIdeMode(
  { files }: LoadedSettings,
  paths: SettingsPaths,
  /** Older names of the same setting come last. */
  keys: readonly string[] = ["ide.enabled"],
): Finding {
  const user = path.join(paths.user, "settings.json");
  const found = keys.map((key) => findSetting(files, key)).find((setting) => setting !== undefined);
  if (found?.value === true) return ok(`switched on in ${found.path}`);
  const evidence = found
    ? `ide.enabled is ${JSON.stringify(found.value)} in ${found.path}`
    : "ide.enabled is not set";
  const remedy =
    found === undefined || found.path === user
      ? "Say /ide enable in the CLI: it keeps that in its settings."
      : `Set "ide": { "enabled": true } in ${found.path}, which has the last word.`;
  return failed(remedy, evidence);
}

/**
 * Whether the CLI runs in a sandbox that it makes, from which it does not reach the companion: in a container
 * 127.0.0.1 is another machine. Only macOS' own sandbox leaves the network as it is.
 * @param variable the environment variable that comes before the setting
 * @param files in which `tools.sandbox` is a switch, the name of a sandbox, or an object with both
 */
export function describeSandbox(variable: string, { files }: LoadedSettings, place: Place): Finding {
  const { env } = place.host;
  const setting = findSetting(files, "tools.sandbox");
  if (env.SANDBOX) return ok("SANDBOX is set: it makes none itself");
  const byEnv = env[variable]?.toLowerCase().trim();
  const value = byEnv || toSandboxName(setting?.value);
  if (/^(0|false)?$/.test(value)) return ok("off");
  const own = value === "sandbox-exec" || (place.platform === "darwin" && /^(1|true)$/.test(value));
  const source = byEnv
    ? `${variable}=${byEnv}`
    : `tools.sandbox is ${JSON.stringify(setting?.value)} in ${setting?.path}`;
  if (own) return ok(`${source}: the network stays as it is, unless its profile closes it`);
  const remedy = byEnv
    ? toUnset(variable, place.sources)
    : `Set "tools": { "sandbox": false } in ${setting?.path}.`;
  return failed(remedy, source);
}

function toSandboxName(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value ?? "");
  const { enabled, command }: { enabled?: unknown; command?: unknown } = value;
  return enabled ? String(command ?? true) : "";
}

const TrustedFolders = z.record(z.string(), z.string());

/** Whether the user has asked the CLI to trust a folder: the longest rule counts. */
function isTrusted(folder: string, file: string): boolean {
  const rules = TrustedFolders.safeParse(readSettingsFile(file)?.values).data ?? {};
  const real = toRealPath(folder);
  const [longest] = Object.entries(rules)
    .filter(([rule, level]) =>
      isInside(real, toRealPath(level === "TRUST_PARENT" ? path.dirname(rule) : rule)),
    )
    .toSorted(([a], [b]) => b.length - a.length);
  return /^TRUST_(FOLDER|PARENT)$/.test(longest?.[1] ?? "");
}
