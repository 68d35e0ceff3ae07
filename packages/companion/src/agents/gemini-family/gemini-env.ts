import { existsSync } from "node:fs";
import path from "node:path";
import { addEnvFiles, foldersUpwards } from "./env-files.ts";
import type { LoadedEnvironment } from "./environment.ts";
import type { Environment } from "./family-cli.ts";
import { geminiPaths } from "./gemini-settings.ts";
import { loadSettings } from "./settings-checks.ts";
import { findEntries, findSetting } from "./settings-files.ts";

/** It leaves these alone in a file that is not in a separate folder. */
const excludedByDefault = ["DEBUG", "DEBUG_MODE"];

/** What Gemini CLI adds to its variables: those of the one file that it finds first. */
export function loadGeminiEnvironment(
  start: Pick<Environment, "host" | "folder" | "platform">,
): LoadedEnvironment {
  const { host, folder } = start;
  const { files, trusted } = loadSettings(geminiPaths(start), start);
  const ignoresLocal = findSetting(files, "advanced.ignoreLocalEnv")?.value === true;
  const home = host.env.GEMINI_CLI_HOME || host.home;
  const found = findFile(folder, home, { trusted, ignoresLocal });
  // Of what it takes all the same in a folder that is not trusted, nothing has to do with its IDE.
  if (found === undefined || !trusted) return { env: host.env, sources: {} };
  const excluded = [
    ...excludedByDefault,
    ...findEntries(files, "advanced.excludedEnvVars").map(({ entry }) => entry),
  ];
  const isOwn = found.includes(".gemini");
  const file = { path: found, takes: (name: string) => isOwn || !excluded.includes(name) };
  return addEnvFiles(host.env, [file], (value) => value === undefined);
}

interface Rules {
  readonly trusted: boolean;
  /** `.env` counts at home only. */
  readonly ignoresLocal: boolean;
}

function findFile(folder: string, home: string, { trusted, ignoresLocal }: Rules): string | undefined {
  const candidates = [...foldersUpwards(folder), home].flatMap((each) => [
    ...(trusted ? [path.join(each, ".gemini", ".env")] : []),
    ...(ignoresLocal && each !== home ? [] : [path.join(each, ".env")]),
  ]);
  return candidates.find((file) => existsSync(file));
}
