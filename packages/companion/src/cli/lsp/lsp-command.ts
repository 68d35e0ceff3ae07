import { startLspDoor } from "../../doors/lsp/index.ts";
import { version } from "../../version.ts";
import { bundledAssets } from "../bundled-assets.ts";
import { type Invocation, UsageError } from "../invocation.ts";
import { createLifetime } from "../review/lifetime.ts";
import { createOpenLink } from "./open-link.ts";

/** Serves the editor that has started us, over standard input and output, until it ends. */
export async function runLsp({ host, program }: Invocation): Promise<number> {
  if (process.stdin.isTTY) {
    throw new UsageError(
      "lsp is started by an editor, which talks with it on standard input: this is a terminal",
    );
  }
  const door = startLspDoor({
    input: process.stdin,
    output: process.stdout,
    host,
    version,
    ...bundledAssets(program),
    openLink: createOpenLink(host),
  });
  const lifetime = createLifetime();
  const exitCode = await Promise.race([door.ended, lifetime.ended]);
  await door.close();
  lifetime.close();
  process.stdin.destroy();
  return exitCode;
}
