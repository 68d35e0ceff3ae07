import { existsSync, readFileSync } from "node:fs";
import stripJsonComments from "strip-json-comments";
import { messageOf } from "../../system/error-message.ts";
import { isObject } from "../../system/json.ts";
import { type Finding, failed, ok } from "./finding.ts";

/** A settings file of an agent CLI: JSON in which comments are allowed. */
export interface SettingsFile {
  readonly path: string;
  readonly values: unknown;
  /** Why it cannot be used, for people. */
  readonly fault?: string;
  /** Why the CLI leaves it out, for people. */
  readonly ignored?: string;
}

/** @returns undefined when there is no such file */
export function readSettingsFile(file: string): SettingsFile | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const values: unknown = JSON.parse(stripJsonComments(readFileSync(file, "utf8").replace(/^\uFEFF/, "")));
    if (!isObject(values)) return { path: file, values: {}, fault: "it is no JSON object" };
    return { path: file, values };
  } catch (error) {
    return { path: file, values: {}, fault: messageOf(error) };
  }
}

/** Whether all files can be read. @param more what else is worth saying of them */
export function checkFiles(files: readonly SettingsFile[], ...more: readonly string[]): Finding {
  const read = files.map(({ path, fault, ignored }) => {
    const state = fault ?? (ignored && `left out: ${ignored}`) ?? "read";
    return `${path}: ${state}`;
  });
  const broken = files.find(({ fault }) => fault !== undefined);
  const evidence = [...(read.length === 0 ? ["no settings file: all defaults"] : read), ...more];
  return broken ? failed(`Fix ${broken.path}: ${broken.fault}.`, ...evidence) : ok(...evidence);
}

/**
 * The value that counts, and the file that has the last word on it.
 * @param files weakest first
 * @param key with dots between its parts: `ide.enabled`
 */
export function findSetting(files: readonly SettingsFile[], key: string) {
  for (const file of files.toReversed()) {
    const value = file.ignored === undefined ? valueAt(file.values, key.split(".")) : undefined;
    if (value !== undefined) return { value, path: file.path };
  }
  return undefined;
}

/** The entries of a list that every file may add to, with the file that each is from. */
export function findEntries(
  files: readonly SettingsFile[],
  key: string,
): readonly { readonly entry: string; readonly path: string }[] {
  return files
    .filter(({ ignored }) => ignored === undefined)
    .flatMap((file) => {
      const value = valueAt(file.values, key.split("."));
      const entries = Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
      return entries.map((entry) => ({ entry, path: file.path }));
    });
}

function valueAt(values: unknown, keys: readonly string[]): unknown {
  let value = values;
  for (const key of keys) value = isObject(value) ? value[key] : undefined;
  return value;
}
