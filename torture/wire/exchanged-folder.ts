import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../packages/companion/src/system/error-message.ts";
import { WireClient } from "../../packages/testkit/src/fake-cli/gemini-family.ts";
import { outsideSecret, type Subject } from "./subject.ts";

/** How often the folder is replaced. */
const exchanges = 200;

/**
 * An agent accepts its own changes in a folder that another program replaces by a link and restores, as fast as it can.
 * @returns what was broken
 */
export async function exchangeFolder({ sandbox, port, token }: Subject): Promise<readonly string[]> {
  const cli = await new WireClient(port, token).initialize();
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

/** @returns what has changed outside of the open folder */
export function findWritesOutside({ sandbox: { folder } }: Pick<Subject, "sandbox">): readonly string[] {
  const broken: string[] = [];
  if (readFileSync(join(folder, "secret.txt"), "utf8") !== outsideSecret)
    broken.push("a file outside of the open folder was written");
  const expected = ["home", "tmp", "workspace", "secret.txt"];
  const names = readdirSync(folder).filter((name) => !expected.includes(name));
  if (names.length > 0) broken.push(`outside of the open folder there is ${names.join(", ")}`);
  return broken;
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
