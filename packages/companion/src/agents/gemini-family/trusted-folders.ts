import { realpathSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { isInside } from "../../files/workspace-path.ts";
import { readSettingsFile } from "../doctor/settings-files.ts";

export interface TrustRules {
  /** `trustedFolders.json` of the CLI. */
  readonly file: string;
  /** Whether folders have to be trusted at all. */
  readonly enabled: boolean;
}

const TrustedFolders = z.record(z.string(), z.string());

/** Whether the user has asked the CLI to trust a folder. */
export function isTrusted(folder: string, rules: TrustRules): boolean {
  if (!rules.enabled) return true;
  const level = findRule(folder, rules);
  return level === "TRUST_FOLDER" || level === "TRUST_PARENT";
}

/** Whether the user has asked it not to. */
export const isDistrusted = (folder: string, rules: TrustRules): boolean =>
  rules.enabled && findRule(folder, rules) === "DO_NOT_TRUST";

/** The longest rule counts. */
function findRule(folder: string, { file }: TrustRules): string | undefined {
  const rules = TrustedFolders.safeParse(readSettingsFile(file)?.values).data ?? {};
  const real = toRealPath(folder);
  const [longest] = Object.entries(rules)
    .filter(([rule, level]) =>
      isInside(real, toRealPath(level === "TRUST_PARENT" ? path.dirname(rule) : rule)),
    )
    .toSorted(([a], [b]) => b.length - a.length);
  return longest?.[1];
}

export function isSameFolder(a: string, b: string): boolean {
  return toRealPath(a) === toRealPath(b);
}

function toRealPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return path.resolve(folder); // it is gone: as it is written
  }
}
