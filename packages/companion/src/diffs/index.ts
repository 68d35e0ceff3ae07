export { DiffBook, type DiffBookOptions, type DiffOwner, maxOpenDiffs } from "./diff-book.ts";
export { DiffError } from "./diff-error.ts";
export { checkFilePath } from "./file-path.ts";
export type { Outcome } from "./outcome.ts";
