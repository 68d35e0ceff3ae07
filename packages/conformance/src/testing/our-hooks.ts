import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { findCompanions } from "../contracts/gemini-family/target/target.ts";
import type { HookTarget } from "../contracts/hooks/program.ts";
import type { Example } from "./example-editor.ts";
import { hostIn, startOurs } from "./our-companion.ts";

/** Our companion, and the user of our commands. @param executable path of ours @param script in the place of our hook */
export async function startOurHooks(
  folder: string,
  work: string,
  { executable, script }: { readonly executable: string; readonly script: string | undefined },
): Promise<{ example: Example; target: HookTarget }> {
  const host = hostIn(folder);
  for (const each of [host.tmp, host.home]) mkdirSync(each);
  const env = { ...process.env, ...host.env, HOME: host.home, TMPDIR: host.tmp };
  const example = await startOurs({ folders: [work], host });
  const [found] = await findCompanions({ tmp: host.tmp, homes: {} });
  if (!found) throw new Error("the example cannot be found");
  const own = [process.execPath, executable];
  const run = async (cwd: string, ...words: readonly string[]) => {
    const [program = "", ...first] = own;
    return (await promisify(execFile)(program, [...first, ...words], { cwd, env })).stdout;
  };
  const { editor } = example;
  const others = editor.perform.bind(editor);
  editor.perform = async (action, args) => {
    const [at = "", mode = ""] = args;
    if (action === "review") return run(at, "review", mode);
    if (action === "written") return run(path.dirname(at), "changes", "diff", at).catch(() => ""); // no change waits
    if (action === "revert") return run(path.dirname(at), "changes", "revert", "--yes", at);
    return others(action, args);
  };
  const hook = [...(script === undefined ? [] : ["sh", "-c", script, "sh"]), ...own, "hook"];
  return { example, target: { ...found, hook, env } };
}
