import { startLspDoor } from "../../doors/lsp/index.ts";
import { doorOptions, serveUntilEnd } from "../editor-door.ts";
import { type Invocation, UsageError } from "../invocation.ts";

/** Serves the editor that has started us, over standard input and output, until it ends. */
export async function runLsp(invocation: Invocation): Promise<number> {
  const { stdin: input, stdout: output } = process;
  if (input.isTTY) {
    throw new UsageError(
      "lsp is started by an editor, which talks with it on standard input: this is a terminal",
    );
  }
  const exitCode = await serveUntilEnd(startLspDoor({ input, output, ...doorOptions(invocation) }));
  input.destroy();
  return exitCode;
}
