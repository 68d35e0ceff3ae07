import { structuredPatch } from "diff";

/** One side of a change: a text, or bytes, one character each; null where there is no file. */
type Side = string | null;

/**
 * A patch that `git apply` takes, and with `-R` takes out again; a text, or bytes, as its sides are.
 * @param name of the file from the folder in which the patch is applied, with slashes
 * @returns undefined where a side holds bytes that no patch of lines can hold
 */
export function toGitPatch(name: string, before: Side, after: Side): string | undefined {
  if (before?.includes("\0") || after?.includes("\0")) return undefined;
  const [from, to] = [quote(`a/${name}`), quote(`b/${name}`)];
  const { hunks } = structuredPatch("", "", before ?? "", after ?? "", undefined, undefined, { context: 3 });
  const lines = [`diff --git ${from} ${to}`];
  if (before === null) lines.push("new file mode 100644");
  if (after === null) lines.push("deleted file mode 100644");
  if (hunks.length > 0) lines.push(`--- ${before === null ? "/dev/null" : from}`);
  if (hunks.length > 0) lines.push(`+++ ${after === null ? "/dev/null" : to}`);
  for (const { oldStart, oldLines, newStart, newLines, lines: body } of hunks) {
    lines.push(`@@ -${toRange(oldStart, oldLines)} +${toRange(newStart, newLines)} @@`, ...body);
  }
  return `${lines.join("\n")}\n`;
}

/** Of no lines it names the line above. */
const toRange = (start: number, count: number) => `${count === 0 ? start - 1 : start},${count}`;

/** As git writes names that a line cannot hold as they are. */
function quote(name: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(name));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is quoted
  if (!/[\0-\x1f"\\\x7f-\xff]/.test(bytes)) return name;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
  const quoted = bytes.replaceAll(/[\0-\x1f"\\\x7f-\xff]/g, (one) =>
    one === '"' || one === "\\" ? `\\${one}` : `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${quoted}"`;
}
