import { type FilePathRules, whyNoFilePath } from "../files/file-path.ts";

/** Why a diff cannot be opened, closed or decided: one sentence for the agent's user. */
export class ReviewError extends Error {
  override readonly name = "ReviewError";
}

/**
 * Refuses a path that cannot name a file, or should not be looked at, with a sentence that says why. Comes before
 * anything asks the system about a path that an agent has named.
 * @throws ReviewError
 */
export function checkFilePath(filePath: string, rules: FilePathRules): void {
  const reason = whyNoFilePath(filePath, rules);
  if (reason !== undefined) throw new ReviewError(`filePath ${reason}`);
}
