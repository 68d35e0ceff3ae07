import { toComparable } from "../../files/comparable-text.ts";
import { readFileText } from "../../files/file-text.ts";

/** What a proposal is compared with. */
export interface Original {
  /** As in the proposal, so that line ends alone are no change; null for a new file. */
  readonly text: string | null;
  /** Sentences for the user. */
  readonly notes: readonly string[];
}

/**
 * Reads the file that a proposal is for.
 * @throws Error when it is a folder: no diff can be shown.
 */
export async function readOriginal(filePath: string, proposed: string): Promise<Original> {
  const file = await readFileText(filePath);
  switch (file.kind) {
    case "text": {
      const { text, lineEndings, byteOrderMark } = toComparable(file.text, proposed);
      const notes = [
        lineEndings === "CRLF" ? ["The file has CRLF line ends; they are kept."] : [],
        lineEndings === "mixed" ? ["The file has mixed line ends; all become CRLF."] : [],
        byteOrderMark ? ["The file has a byte order mark; it is kept."] : [],
        file.exact ? [] : ["The file is not valid UTF-8; what is shown of it is an approximation."],
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
      return { text: "", notes: [`The file on disk cannot be read. ${file.reason}`] };
  }
}
