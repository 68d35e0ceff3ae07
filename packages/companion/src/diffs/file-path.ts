import { isAbsolute } from "node:path";
import { maxPathLength } from "../contract/limits.ts";
import { DiffError } from "./diff-error.ts";

/**
 * Refuses a path that cannot name a file, with a sentence that says why.
 * @throws DiffError
 */
export function checkFilePath(filePath: string): void {
  if (filePath === "") throw new DiffError("filePath must be an absolute path, got an empty string");
  if (filePath.length > maxPathLength) {
    throw new DiffError(
      `filePath must be at most ${maxPathLength} characters long, got ${filePath.length} characters`,
    );
  }
  if (filePath.includes("\0")) {
    throw new DiffError(`filePath must not contain a NUL character, got ${JSON.stringify(filePath)}`);
  }
  if (!isAbsolute(filePath)) {
    throw new DiffError(`filePath must be absolute, got ${JSON.stringify(filePath)}`);
  }
}
