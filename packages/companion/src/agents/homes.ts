import path from "node:path";
import type { Host } from "../system/host.ts";

/** The folders in which agents' CLIs keep what is theirs: the one that a variable names, or else the one in the home folder. */
export const claudeHome = ({ env, home }: Host): string =>
  env.CLAUDE_CONFIG_DIR || path.join(home, ".claude");

export const codexHome = ({ env, home }: Host): string => env.CODEX_HOME || path.join(home, ".codex");

/** Also where `XDG_STATE_HOME` is set. */
export const copilotHome = ({ env, home }: Host): string => env.COPILOT_HOME || path.join(home, ".copilot");

export const geminiHome = ({ env, home, tmp }: Host): string =>
  path.join(env.GEMINI_CLI_HOME || home || tmp, ".gemini");

export const opencodeHome = ({ env, home }: Host): string =>
  path.join(env.XDG_CONFIG_HOME || path.join(home, ".config"), "opencode");

/** In the variable the CLI expands a leading tilde; where there is no home, it is in the temporary folder. */
export function qwenHome({ env, home, tmp }: Host): string {
  const given = env.QWEN_HOME;
  if (!given) return path.join(home || tmp, ".qwen");
  if (!/^~([\\/]|$)/.test(given)) return path.resolve(given);
  return path.join(home, ...given.slice(1).split(/[\\/]+/));
}

/** Where the CLI reads the lock files of editors. */
export const qwenLocks = (host: Host): string => path.join(qwenHome(host), "ide");
