import { readFileSync } from "node:fs";
import path from "node:path";
import { noRules, parseUserRules, strictRules, type UserRules } from "../core/sharing/exclusion.ts";
import { codeOf, messageOf } from "../system/error-message.ts";
import type { Host } from "../system/host.ts";
import { toDisplayPath } from "./terminal/text.ts";

/** Never throws: what cannot be read or understood keeps everything from the agents, and says so. */
export function readUserConfig(host: Host): UserRules {
  const file = configFile(host);
  const name = toDisplayPath(file, host.home);
  try {
    return parseUserRules(JSON.parse(readFileSync(file, "utf8")), name);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return noRules;
    return strictRules(`${name} cannot be used: ${messageOf(error)}`);
  }
}

/** Where a user writes what counts for every companion that this executable serves. */
function configFile({ env, home }: Host): string {
  const roaming = env.APPDATA || path.join(home, "AppData", "Roaming");
  const given = env.XDG_CONFIG_HOME;
  const config = given && path.isAbsolute(given) ? given : path.join(home, ".config");
  return path.join(process.platform === "win32" ? roaming : config, "ide-companion", "config.json");
}
