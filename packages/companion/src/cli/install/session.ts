import type { Machine } from "../../editors/set-up/plan.ts";
import type { Invocation } from "../invocation.ts";
import { confirm } from "../terminal/ask.ts";
import { applyChanges } from "./apply.ts";
import type { Change } from "./change.ts";
import { describeChange } from "./change-text.ts";
import type { Installed } from "./record.ts";

/** What is to be done for one editor. */
export interface Task {
  /** As in `Neovim`. */
  readonly title: string;
  readonly changes: readonly Change[];
}

/** Shows every change, lets the user agree, and makes them. @returns whether they were made */
export async function carryOut(
  tasks: readonly Task[],
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
  const isAgreed = await confirm("Make these changes?");
  if (isAgreed) return true;
  out.line(
    isAgreed === undefined
      ? "Nothing was changed: where nobody can be asked, say --yes."
      : "Nothing was changed.",
  );
  return false;
}
