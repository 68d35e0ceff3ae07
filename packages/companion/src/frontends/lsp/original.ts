import type { Proposal } from "../../core/editor.ts";
import { toComparable } from "../../files/comparable-text.ts";

/** What a proposal is compared with. */
export interface Original {
  /** As in the proposal, so that line ends alone are no change; null for a new file. */
  readonly text: string | null;
  /** Sentences for the user. */
  readonly notes: readonly string[];
}

/** @throws Error when it is for a folder: no diff can be shown. */
export function originalOf({ filePath, newContent, base }: Proposal): Original {
  switch (base.kind) {
    case "text": {
      const { text, lineEndings, byteOrderMark } = toComparable(base.text, newContent);
      const notes = [
        lineEndings === "CRLF" ? ["The file has CRLF line ends; they are kept."] : [],
        lineEndings === "mixed" ? ["The file has mixed line ends; all become CRLF."] : [],
        byteOrderMark ? ["The file has a byte order mark; it is kept."] : [],
        base.exact ? [] : ["The file is not valid UTF-8; what is shown of it is an approximation."],
      ];
      return { text, notes: notes.flat() };
    }
    case "missing":
      return { text: null, notes: ["This is a new file."] };
    case "folder":
      throw new Error(`${filePath} is a folder, not a file`);
    case "binary":
      return { text: "", notes: ["The file on disk is not a text; it would be replaced as a whole."] };
    case "too-large":
      return { text: "", notes: ["The file on disk is too large to be compared; it would be replaced."] };
    case "unreadable":
      return { text: "", notes: [`The file on disk cannot be read. ${base.reason}`] };
  }
}
