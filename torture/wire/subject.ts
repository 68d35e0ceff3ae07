import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnCompanion, whenServing } from "../../packages/testkit/src/companion-process.ts";
import { redeem } from "../../packages/testkit/src/page-client.ts";
import { readDiscovered } from "../harness/discovered.ts";
import { createSandbox, type Sandbox } from "../harness/sandbox.ts";

/** The content of a file outside every open folder; it must never be sent. */
export const outsideSecret = "outside-of-every-open-folder";

/** The companion's real process, with its review page, and all credentials. */
export type Subject = Awaited<ReturnType<typeof startSubject>>;

export async function startSubject() {
  const sandbox = createSandbox();
  layOut(sandbox);
  const companion = spawnCompanion({
    program: [process.execPath, "--import", join(import.meta.dirname, "loop-watch.mjs")],
    args: [sandbox.workspace, "--no-open", "--log-level", "debug"],
    cwd: sandbox.workspace,
    env: sandbox.env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const { child } = companion;
  sandbox.own(child);
  const stop = async () => {
    child.kill();
    await companion.end;
    sandbox.remove();
  };
  try {
    const { link, port } = await whenServing(companion);
    const { token = "" } = readDiscovered(sandbox.host).find(({ agent }) => agent === "gemini") ?? {};
    return {
      /** Where the CLIs connect. */
      port,
      token,
      pagePort: Number(new URL(link).port),
      /** `name=value` */
      cookie: await redeem(link),
      sandbox,
      /** The longest that its event loop was blocked since the last call, in milliseconds. */
      async blockedFor(): Promise<number> {
        const answered = once(child, "message");
        child.send("how long?");
        const [{ milliseconds }] = await answered;
        return milliseconds;
      },
      get hasEnded() {
        return companion.hasEnded;
      },
      output: companion.output,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function layOut({ folder, workspace }: Sandbox): void {
  mkdirSync(join(workspace, "src"));
  writeFileSync(join(workspace, "src", "a.ts"), "const a = 1;\n");
  writeFileSync(join(folder, "secret.txt"), outsideSecret);
  symlinkSync(join(folder, "secret.txt"), join(workspace, "link.txt"));
  symlinkSync(folder, join(workspace, "link"));
}
