import { startKakouneDoor } from "../../doors/kakoune/index.ts";
import { version } from "../../version.ts";
import { bundledAssets } from "../bundled-assets.ts";
import { type Invocation, UsageError } from "../invocation.ts";
import { createOpenLink } from "../lsp/open-link.ts";
import { createLifetime } from "../review/lifetime.ts";

/** Serves the Kakoune session that is named, until it ends. */
export async function runKakoune(invocation: Invocation): Promise<number> {
  const { host, program, folder } = invocation;
  const [session, pid] = invocation.arguments.words;
  if (!session || !/^\d+$/.test(pid ?? "")) {
    throw new UsageError(
      "kakoune is started by editors/kakoune/ide-companion.kak, with a session and a process id",
    );
  }
  // Kakoune suspends its whole process group: agents would wait for us in the very terminal that it was in.
  process.on("SIGTSTP", () => {});
  const door = await startKakouneDoor({
    session,
    pid: Number(pid),
    cwd: folder,
    host,
    version,
    ...bundledAssets(program),
    openLink: createOpenLink(host),
  });
  const lifetime = createLifetime();
  const exitCode = await Promise.race([door.ended, lifetime.ended]);
  await door.close();
  lifetime.close();
  return exitCode;
}
