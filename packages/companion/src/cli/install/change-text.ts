import { structuredPatch } from "diff";
import type { Paint } from "../terminal/paint.ts";
import { toDisplayPath } from "../terminal/text.ts";
import type { Change } from "./change.ts";
import { listFiles } from "./folder.ts";

/** A change for people, line by line. @param home absolute */
export function describeChange(change: Change, home: string, paint: Paint): readonly string[] {
  const show = (file: string) => toDisplayPath(file, home);
  switch (change.kind) {
    case "folder": {
      const { path: folder, from } = change;
      if (from === undefined) return [heading("-", `${show(folder)}, the whole folder`, paint)];
      const files = listFiles(from).length;
      return [
        heading("+", `${show(folder)}, ${files === 1 ? "one file" : `a folder of ${files} files`}`, paint),
      ];
    }
    case "file": {
      const { path: file, before, after } = change;
      const [mark, what] =
        before === undefined
          ? ["+", ", a new file"]
          : after === undefined
            ? ["-", ", the whole file"]
            : ["~", ""];
      return [heading(mark, show(file) + what, paint), ...describeText(before ?? "", after ?? "", paint)];
    }
    case "extension": {
      const { part, does } = change;
      const call =
        does === "install" ? `--install-extension ${show(part.file)}` : `--uninstall-extension ${part.id}`;
      return [heading(does === "install" ? "+" : "-", `${show(part.program)} ${call}`, paint)];
    }
  }
}

const styles = { "+": "green", "-": "red", "~": "yellow" } as const;

const heading = (mark: string, text: string, paint: Paint) =>
  `  ${paint[styles[mark as keyof typeof styles]](mark)} ${paint.plain(text)}`;

/** The lines that differ, with some around them. */
function describeText(before: string, after: string, paint: Paint): readonly string[] {
  const { hunks } = structuredPatch("", "", before, after, undefined, undefined, { context: 2 });
  return hunks.flatMap(({ lines }, index) => [
    ...(index === 0 ? [] : [paint.dim("      ⋮")]),
    ...shorten(
      lines.map((line) => describeLine(line, paint)),
      paint,
    ),
  ]);
}

/** A block of a thousand lines would push the question out of the window. */
const [longest, shown] = [60, 20];

function shorten(lines: readonly string[], paint: Paint): readonly string[] {
  if (lines.length <= longest) return lines;
  const more = paint.dim(`      … and ${lines.length - 2 * shown} more lines like these`);
  return [...lines.slice(0, shown), more, ...lines.slice(-shown)];
}

function describeLine(line: string, paint: Paint): string {
  if (line.startsWith("\\")) return paint.dim("      \\ no newline at the end");
  const text = line.slice(1).replace(/\r$/, "").replaceAll("\t", "    ");
  const style = line.startsWith("+") ? "green" : line.startsWith("-") ? "red" : "dim";
  return paint[style](`    ${line[0]} ${text}`.trimEnd());
}
