import { existsSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import path from "node:path";
import { demand, demandNone } from "../../assertions.ts";
import type { Check } from "../check.ts";
import { closedText } from "./closing.ts";
import { isRefused } from "./tools.ts";

export const newFile: Check = {
  id: "new-file",
  title: "a new file in a new folder can be proposed, and neither is created",
  requirements: ["P26"],
  lane: "proposals",
  async run({ wire, path: pathOf }) {
    const session = await wire.connect();
    const file = pathOf("new/folder/new.txt");
    await session.openDiff(file, "new\n");
    await session.closeDiff(file);
    demand(!existsSync(pathOf("new")), `${pathOf("new")} was created, though the user has not accepted`);
  },
};

export const oddTargets: Check = {
  id: "odd-targets",
  title: "paths that cannot be shown as a diff do no harm",
  requirements: ["P27"],
  lane: "proposals",
  async run({ wire, path: pathOf, write, note }) {
    const session = await wire.connect();
    await mkdir(pathOf("folder"), { recursive: true });
    const file = await write("file.txt", "a file\n");
    const binary = await write("binary.bin", Buffer.from([0, 1, 2, 255, 254, 10, 0]));
    const odd = [
      pathOf("folder"),
      path.join(file, "below-a-file.txt"),
      pathOf("x".repeat(300)),
      binary,
      "relative.txt",
      "",
    ];
    for (const target of odd) {
      const answer = await session.call("openDiff", { filePath: target, newContent: "text\n" });
      note(`openDiff of ${JSON.stringify(target.slice(-60))}: ${isRefused(answer) ? "refused" : "shown"}`);
      if (!isRefused(answer)) await session.closeDiff(target);
    }
    const good = pathOf("good.txt");
    await session.openDiff(good, "good\n");
    await session.closeDiff(good);
  },
};

export const anyFile: Check = {
  id: "any-file",
  title: "a change of any file can be proposed, in any folder and with any mode",
  requirements: ["P32"],
  lane: "proposals",
  async run({ wire, path: pathOf, write, target }) {
    const session = await wire.connect();
    const readOnly = await write("read-only.txt", "before\n");
    await chmod(readOnly, 0o444);
    const binary = await write("was-binary.bin", Buffer.from([0, 1, 2, 255, 254, 10, 0]));
    const empty = await write("empty.txt", "");
    const files: readonly (readonly [what: string, file: string])[] = [
      ["a read-only file", readOnly],
      ["a file that was no text", binary],
      ["an empty file", empty],
      ["a file without an extension", pathOf("LICENSE")],
      [
        "a file outside of the open folders",
        path.join(target.systemFolders.tmp, "outside-of-all-folders.txt"),
      ],
    ];
    const problems: string[] = [];
    for (const [what, file] of files) {
      const answer = await session.call("openDiff", { filePath: file, newContent: "proposed\n" });
      if (isRefused(answer)) {
        problems.push(`${what} was refused: ${JSON.stringify(answer.result ?? answer.error)}`);
        continue;
      }
      const text = closedText(await session.closeDiff(file));
      if (text !== "proposed\n") problems.push(`of ${what}, closeDiff answers ${JSON.stringify(text)}`);
    }
    demandNone(problems);
  },
};
