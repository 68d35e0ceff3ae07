import type { FileText } from "../model/wire.ts";
import { formatBytes } from "./byte-size.ts";

/** Why a file's text is not shown, as a sentence. */
export function explainFile(file: Exclude<FileText, { readonly kind: "text" }>): string {
  switch (file.kind) {
    case "binary":
      return `This is a binary file of ${formatBytes(file.size)}; it is not shown.`;
    case "too-large":
      return `This file is too large to be shown: ${formatBytes(file.size)}, the limit is ${formatBytes(file.limit)}.`;
    case "missing":
      return "There is no such file (any more).";
    case "folder":
      return "This is a folder.";
    case "unreadable":
      return `This file cannot be read: ${file.reason}`;
  }
}
