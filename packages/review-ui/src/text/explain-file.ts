import type { Translate } from "../language/language.ts";
import type { FileText } from "../model/api.ts";

/** Explains why the text of a file is not shown. */
export function explainFile(file: Exclude<FileText, { readonly kind: "text" }>, t: Translate): string {
  switch (file.kind) {
    case "binary":
      return t("This is a binary file of $1; it is not shown.", formatBytes(file.size));
    case "too-large":
      return t(
        "This file is too large to be shown: $1, the limit is $2.",
        formatBytes(file.size),
        formatBytes(file.limit),
      );
    case "missing":
      return t("This file does not exist (any more).");
    case "folder":
      return t("This is a folder.");
    case "unreadable":
      return t("This file cannot be read: $1", file.reason);
  }
}

/** Formats a number of bytes: `1.5 kB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
