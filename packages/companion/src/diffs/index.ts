export { DiffBook, type DiffBookOptions, maxOpenDiffs } from "./diff-book.ts";
export { DiffError } from "./diff-error.ts";
export type { DiffOwner } from "./diff-owner.ts";
export { checkFilePath } from "./file-path.ts";
export type { Outcome } from "./outcome.ts";
export { writeReviewedFile } from "./reviewed-file.ts";
