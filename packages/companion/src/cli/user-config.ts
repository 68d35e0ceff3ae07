import { readFileSync } from "node:fs";
import { noRules, parseUserRules, strictRules, type UserRules } from "../core/sharing/exclusion.ts";
import { toUserFolders } from "../editors/set-up/user-folders.ts";
import { codeOf, messageOf } from "../system/error-message.ts";
import type { Host } from "../system/host.ts";
import { isObject } from "../system/json.ts";
import { toDisplayPath } from "./terminal/text.ts";

/** What a user writes for every companion that this executable serves. */
interface UserConfig extends UserRules {
  /** A program and its arguments, which open a file in an editor; `{file}` and `{line}` stand for what is to be opened. */
  readonly editorCommand?: readonly string[];
}

/** Never throws: what cannot be read or understood keeps everything from the agents, and says so. */
export function readUserConfig(host: Host): UserConfig {
  const file = configFile(host);
  const name = toDisplayPath(file, host.home);
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return { ...parseUserRules(value, name), ...parseEditorCommand(value) };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return noRules;
    return strictRules(`${name} cannot be used: ${messageOf(error)}`);
  }
}

/** Here alone: the settings of an editor may be those of a repository, which chooses no program. */
function parseEditorCommand(value: unknown): Pick<UserConfig, "editorCommand"> {
  if (!isObject(value) || value.editorCommand === undefined) return {};
  const { editorCommand } = value;
  const isList = Array.isArray(editorCommand) && editorCommand.length > 0;
  if (isList && editorCommand.every((word) => typeof word === "string")) return { editorCommand };
  throw new Error(`editorCommand must be a list of texts, got ${JSON.stringify(editorCommand)}`);
}

function configFile({ env, home }: Host): string {
  const { join, roaming } = toUserFolders({ platform: process.platform, home, env });
  return join(roaming, "ide-companion", "config.json");
}
