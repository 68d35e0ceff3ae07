import { startLspFrontend } from "../../frontends/lsp/lsp-frontend.ts";
import { frontendOptions, serveUntilEnd } from "../editor-frontend.ts";
import { type Invocation, UsageError } from "../invocation.ts";

/** Serves the editor that has started us, over standard input and output, until it ends. */
export async function runLsp(invocation: Invocation): Promise<number> {
  const { stdin: input, stdout: output } = process;
  if (input.isTTY) {
    throw new UsageError(
      "lsp is started by an editor, which talks with it on standard input: this is a terminal",
    );
  }
  const exitCode = await serveUntilEnd(startLspFrontend({ input, output, ...frontendOptions(invocation) }));
  input.destroy();
  return exitCode;
}
