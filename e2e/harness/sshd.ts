import { spawn } from "node:child_process";
import { mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { freePort } from "../../packages/testkit/src/listen.ts";
import { ended, endTree, processTree } from "../../packages/testkit/src/process-tree.ts";
import { run } from "../../packages/testkit/src/run.ts";
import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { poll } from "../../packages/testkit/src/waiting.ts";

export const sshd = "/usr/sbin/sshd";
/** What sshd wants to be there when it is started by root; Debian makes it with the service. */
const privilegeSeparation = "/run/sshd";

/**
 * A real sshd on a port of 127.0.0.1.
 * @param there the sandbox on the same machine that those who log in find themselves in
 */
export async function startSshd(sandbox: Sandbox, there: Sandbox) {
  const folder = join(sandbox.tmp, "sshd");
  await mkdir(folder, { mode: 0o700 });
  const at = (name: string) => join(folder, name);
  for (const key of ["host", "user"]) {
    await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at(key)]);
  }
  const port = await freePort();
  const config = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${at("host")}`,
    `AuthorizedKeysFile ${at("user.pub")}`,
    `PidFile ${at("pid")}`,
    "StrictModes no",
    "UsePAM no",
    "PermitRootLogin prohibit-password",
    "PasswordAuthentication no",
    "AcceptEnv none",
    `SetEnv HOME=${there.home} TMPDIR=${there.tmp}`,
  ];
  await writeFile(at("config"), `${config.join("\n")}\n`);
  const isRoot = userInfo().uid === 0;
  const made = isRoot ? await mkdir(privilegeSeparation, { recursive: true, mode: 0o755 }) : undefined;
  const child = spawn(sshd, ["-D", "-e", "-f", at("config")], { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  await poll("sshd", () => said.includes("Server listening"), { describe: () => said });
  const pid = child.pid ?? 0;
  return sandbox.own({
    host: "127.0.0.1",
    /** What a client needs, as ssh's `-o`. */
    options: [
      `Port=${port}`,
      `IdentityFile=${at("user")}`,
      "IdentitiesOnly=yes",
      `UserKnownHostsFile=${at("known")}`,
      "StrictHostKeyChecking=accept-new",
    ],
    /** Cuts every connection, as a network that fails. */
    async cut() {
      const [, ...below] = await processTree(pid);
      const names = await Promise.all(
        below.map((each) => readFile(`/proc/${each}/comm`, "utf8").catch(() => "")),
      );
      // What was started over it goes on, and notices later.
      const connections = below.filter((_, index) => names[index]?.trim() === "sshd");
      for (const connection of connections) process.kill(connection, "SIGKILL");
      await ended(connections);
    },
    describe: () => `--- sshd\n${said}`,
    async close() {
      await endTree(child);
      if (made !== undefined) await rmdir(privilegeSeparation).catch(() => {}); // in use by somebody else
    },
  });
}
