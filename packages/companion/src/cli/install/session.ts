import { structuredPatch } from "diff";
import type { Paint } from "../../core/paint.ts";
import type { Machine } from "../../editors/set-up/plan.ts";
import type { Invocation } from "../invocation.ts";
import { canAsk, confirm } from "../terminal/ask.ts";
import { toDisplayPath } from "../terminal/text.ts";
import { applyChanges } from "./apply.ts";
import { type Change, listFiles } from "./change.ts";
import type { Installed } from "./record.ts";

/**
 * Shows every change, lets the user agree, and makes them.
 * @param tasks what is to be done for each editor, with titles as `Neovim`
 * @returns whether they were made
 */
export async function carryOut(
  tasks: readonly { readonly title: string; readonly changes: readonly Change[] }[],
  done: Installed["done"],
  { invocation, machine }: { readonly invocation: Invocation; readonly machine: Machine },
): Promise<boolean> {
  const { arguments: given, out } = invocation;
  // Nobody reads any more: what was agreed to is done whole all the same.
  process.stdout.on("error", () => {});
  for (const { title, changes } of tasks) {
    out.line(out.paint.bold(title));
    for (const change of changes) {
      for (const line of describeChange(change, machine.host.home, out.paint)) out.line(line);
    }
    out.line();
  }
  if (given.has("dry-run")) {
    out.line("Nothing was changed: this was to see what would be.");
    return false;
  }
  if (!given.has("yes") && !(await isAgreed(invocation))) return false;
  await applyChanges(
    tasks.flatMap(({ changes }) => changes),
    done,
    machine,
  );
  return true;
}

async function isAgreed({ out }: Invocation): Promise<boolean> {
  if (await confirm("Make these changes?")) return true;
  out.line(canAsk() ? "Nothing was changed." : "Nothing was changed: where nobody can be asked, say --yes.");
  return false;
}

/** A change for people, line by line. @param home absolute */
function describeChange(change: Change, home: string, paint: Paint): readonly string[] {
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
