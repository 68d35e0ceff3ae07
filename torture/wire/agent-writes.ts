import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../packages/companion/src/system/error-message.ts";
import { openWireStream, WireClient } from "../../packages/testkit/src/fake-cli/gemini-family.ts";
import { outsideSecret, type Subject } from "./subject.ts";

/** How often a folder is replaced by a link while a file in it is written. */
const exchanges = 200;

/**
 * Tries to write files outside of the open folders with a token only, and to receive outcomes of another agent's session.
 * @returns what was broken
 */
export async function tryWrites(subject: Subject): Promise<readonly string[]> {
  const cli = await new WireClient(subject.port, subject.token).initialize();
  return [
    ...(await tryRefusals(subject, cli)),
    ...(await tryExchanges(subject, cli)),
    ...(await tryForeignEvents(subject, cli)),
    ...findWritesOutside(subject),
  ];
}

/** @returns what has changed outside of the open folder */
export function findWritesOutside({ sandbox }: Pick<Subject, "sandbox">): readonly string[] {
  const broken: string[] = [];
  if (readFileSync(join(sandbox.folder, "secret.txt"), "utf8") !== outsideSecret)
    broken.push("a file outside of the open folder was written");
  const names = readdirSync(sandbox.folder).filter(
    (name) => !["home", "tmp", "workspace", "secret.txt"].includes(name),
  );
  if (names.length > 0) broken.push(`outside of the open folder there is ${names.join(", ")}`);
  return broken;
}

async function tryRefusals({ sandbox }: Subject, cli: WireClient): Promise<readonly string[]> {
  const { folder, workspace } = sandbox;
  const inside = (name: string) => join(workspace, name);
  symlinkSync(join(folder, "not-there"), inside("dangling"));
  execFileSync("mkfifo", [inside("pipe")]);
  mkdirSync(inside(".git/hooks"), { recursive: true });
  writeFileSync(inside("changed.txt"), "reviewed");
  const attempts: readonly (readonly [path: string, reason: RegExp])[] = [
    [join(folder, "secret.txt"), /outside of the open folders/],
    [join(folder, "new.txt"), /outside of the open folders/],
    [join(folder, "new", "deep.txt"), /outside of the open folders/],
    [`${workspace}/../secret.txt`, /outside of the open folders/],
    [inside("link.txt"), /outside of the open folders/],
    [inside("link/secret.txt"), /outside of the open folders/],
    [inside("link/new.txt"), /outside of the open folders/],
    [inside("dangling"), /a link that leads nowhere/],
    [inside("pipe"), /a pipe, a socket or a device/],
    [inside(".git/hooks/pre-commit"), /belongs to git/],
    [inside("changed.txt"), /has changed on disk in the same lines/],
    ["/dev/zero", /not a part of the system/],
    ["/proc/self/environ", /not a part of the system/],
  ];
  const broken: string[] = [];
  for (const [filePath, reason] of attempts) {
    const opened = await cli.call("openDiff", { filePath, newContent: "written by a token alone" });
    if (filePath.endsWith("changed.txt")) writeFileSync(filePath, "the user's");
    const accepted = await cli.call("acceptDiff", { filePath });
    const text = JSON.stringify([opened.result, accepted.result]);
    if (!reason.test(text)) broken.push(`acceptDiff of ${filePath} is answered with ${text}`);
    await cli.call("rejectDiff", { filePath });
  }
  if (!statSync(inside("pipe")).isFIFO()) broken.push("a pipe was written over");
  if (readFileSync(inside("changed.txt"), "utf8") !== "the user's")
    broken.push("a changed file was written over");
  for (const name of ["dangling", "pipe", ".git"]) rmSync(inside(name), { recursive: true });
  return broken;
}

/** Another program replaces a folder by a link and restores it, as fast as it can. */
async function tryExchanges({ sandbox }: Subject, cli: WireClient): Promise<readonly string[]> {
  const [raced, away] = [join(sandbox.workspace, "raced"), join(sandbox.workspace, "away")];
  mkdirSync(raced);
  const filePath = join(raced, "a.txt");
  for (let count = 0; count < exchanges; count += 1) {
    await cli.call("openDiff", { filePath, newContent: `${count}` });
    let isWriting = true;
    const accepting = cli.call("acceptDiff", { filePath }).finally(() => {
      isWriting = false;
    });
    while (isWriting) {
      renameSync(raced, away);
      instead(raced, () => symlinkSync(sandbox.folder, raced));
      await new Promise(setImmediate);
      instead(raced, () => renameSync(away, raced));
      await new Promise(setImmediate);
    }
    await accepting;
    await cli.call("rejectDiff", { filePath });
  }
  rmSync(raced, { recursive: true });
  return findWritesOutside({ sandbox });
}

/** Retries: the companion creates a missing folder, or a file in it, also in this moment. */
function instead(path: string, put: () => void): void {
  for (;;) {
    try {
      rmSync(path, { recursive: true, force: true });
      put();
      return;
    } catch (error) {
      const code = codeOf(error);
      if (code !== "EEXIST" && code !== "ENOTEMPTY") throw error;
    }
  }
}

async function tryForeignEvents(subject: Subject, cli: WireClient): Promise<readonly string[]> {
  const other = await new WireClient(subject.port, subject.otherToken).initialize();
  const { "mcp-session-id": _, ...foreign } = other.headers;
  const { "mcp-session-id": __, ...own } = cli.headers;
  const before = await openWireStream(subject.port, foreign, "/events");
  const filePath = join(subject.sandbox.workspace, "owed.txt");
  await cli.call("openDiff", { filePath, newContent: "owed to its own agent" });
  await cli.call("acceptDiff", { filePath });
  const after = await openWireStream(subject.port, foreign, "/events");
  const owner = await openWireStream(subject.port, own, "/events");
  await owner.method("notifications/ide/diffAccepted");
  await after.method("notifications/context-update");
  const received = [before, after].flatMap(({ events }) =>
    events.filter(({ method }) => method.includes("diff")),
  );
  for (const stream of [before, after, owner]) await stream.close();
  rmSync(filePath);
  return received.length === 0 ? [] : [`another agent receives ${JSON.stringify(received)}`];
}
