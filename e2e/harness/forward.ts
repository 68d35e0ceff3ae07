import { createSandbox, type Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { companionScript } from "./installed.ts";
import { startSshd } from "./sshd.ts";
import { startTerminal } from "./terminal.ts";

/** Another machine: it has a home, a temporary folder and a separate copy of the project. */
export async function otherMachine(sandbox: Sandbox): Promise<Sandbox> {
  return sandbox.own(await createSandbox());
}

/** Shares the companion of the sandbox with another machine, and waits until CLIs there find it. */
export async function startForward(sandbox: Sandbox, there: Sandbox, editor = "Review page") {
  const server = await startSshd(sandbox, there);
  const options = server.options.flatMap((option) => ["-o", option]);
  const command = [process.execPath, companionScript, "forward", ...options, server.host, there.workspace];
  const terminal = await startTerminal(sandbox, { command });
  await terminal.waitFor(`is reviewed in ${editor} here`);
  return { server, terminal };
}
