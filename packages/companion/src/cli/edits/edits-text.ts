import type { RecoveredEditsSummary } from "../../core/edits/recovered-edits.ts";
import { toDuration } from "../status/status-text.ts";
import { toDisplayPath } from "../terminal/display-path.ts";
import type { Paint } from "../terminal/paint.ts";

export interface Standpoint {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly home: string;
}

/** Recovered edits for people, line by line. */
export function describeList(
  edits: readonly RecoveredEditsSummary[],
  { now, home }: Standpoint,
  paint: Paint,
): readonly string[] {
  if (edits.length === 0) return ["There are no recovered edits: every text that you typed is in its file."];
  return [
    ...edits.flatMap(({ id, filePath, agent, at, reason }) => [
      `${paint.cyan(id)}  ${paint.bold(toDisplayPath(filePath, home))}`,
      `          ${paint.dim(`typed ${toDuration(now - at)} ago in a change by ${agent}`)}`,
      `          ${paint.plain(reason)}`,
    ]),
    "",
    `See one: ${paint.bold("ide-companion edits diff ID")}`,
    `Get it back: ${paint.bold("ide-companion edits restore ID")}`,
    `Forget it: ${paint.bold("ide-companion edits discard ID")}`,
  ];
}

/** @param patch a unified diff */
export function describeDifference(patch: string, paint: Paint): readonly string[] {
  if (patch === "") return ["The file holds this text."];
  return patch
    .trimEnd()
    .split("\n")
    .map((line) => {
      if (line.startsWith("+")) return paint.green(line);
      if (line.startsWith("-")) return paint.red(line);
      return line.startsWith("@") ? paint.cyan(line) : paint.plain(line);
    });
}
