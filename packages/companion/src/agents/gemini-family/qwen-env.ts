import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { addEnvFiles, type EnvFile, foldersUpwards, readEnvFile } from "./env-files.ts";
import type { LoadedEnvironment } from "./environment.ts";
import type { Environment } from "./family-cli.ts";
import { qwenHome } from "./qwen-folders.ts";
import { qwenPaths } from "./qwen-settings.ts";
import { type LoadedSettings, loadSettings } from "./settings-checks.ts";
import { findEntries, findSetting, isDistrusted } from "./settings-files.ts";

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
    return Object.entries(isRecord(given) ? given : {}).map(([name, value]) => ({ name, value, file }));
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

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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
