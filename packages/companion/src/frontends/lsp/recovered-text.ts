import path from "node:path";
import type { RecoveredEditsSummary } from "../../core/edits/recovered-edits.ts";
import { safeText } from "../../files/safe-text.ts";

/** What an editor without a list of recovered edits says of some. */
export function describeRecovered({ id, filePath, reason }: RecoveredEditsSummary): string {
  const name = safeText(path.basename(filePath));
  // The command first: an editor in a terminal may cut what comes last.
  return `ide-companion edits restore ${id} gets back your edits of ${name}: ${reason}`;
}

/** The same of several. */
export function describeAllRecovered(count: number): string {
  return `ide-companion edits lists your edits of ${count} proposals that are not in their files.`;
}
