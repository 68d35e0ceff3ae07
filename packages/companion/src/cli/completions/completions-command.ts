import { exitCodes, type Invocation, UsageError } from "../invocation.ts";
import { toBashScript } from "./bash.ts";
import { toFishScript } from "./fish.ts";
import { toZshScript } from "./zsh.ts";

const scripts = new Map([
  ["bash", toBashScript],
  ["zsh", toZshScript],
  ["fish", toFishScript],
]);

/** Prints a script that completes our commands, made from their table. */
export async function runCompletions({ arguments: given, commands, out }: Invocation): Promise<number> {
  const [shell] = given.words;
  const toScript = scripts.get(shell ?? "");
  if (!toScript) throw new UsageError(`name a shell: ${[...scripts.keys()].join(", ")}`);
  // Not painted: it is our own text, and meant for a shell.
  out.line(toScript(commands));
  return exitCodes.ok;
}
