import { startKakouneFrontend } from "../../frontends/kakoune/kakoune-frontend.ts";
import { frontendOptions, serveUntilEnd } from "../editor-frontend.ts";
import { type Invocation, UsageError } from "../invocation.ts";

/** Serves the Kakoune session that is named, until it ends. */
export async function runKakoune(invocation: Invocation): Promise<number> {
  const [session, pid] = invocation.arguments.words;
  if (!session || !/^\d+$/.test(pid ?? "")) {
    throw new UsageError(
      "kakoune is started by editors/kakoune/ide-companion.kak, with a session and a process id",
    );
  }
  // Kakoune suspends its whole process group: agents would wait for us in the very terminal that it was in.
  process.on("SIGTSTP", () => {});
  const options = frontendOptions(invocation);
  return serveUntilEnd(
    startKakouneFrontend({ session, pid: Number(pid), cwd: invocation.folder, ...options }),
  );
}
