import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Broken, demandNone } from "../../assertions.ts";
import { type DiscoveryFile, readDiscoveryFiles } from "../../target/discovery-file.ts";
import type { Bench, Check } from "../check.ts";

/** Opens one more folder and waits until every discovery file names it. @returns these files */
async function openAnother(bench: Bench, name: string): Promise<readonly DiscoveryFile[]> {
  const { editor, target, path: pathOf, limits } = bench;
  const folder = pathOf(name);
  await mkdir(folder, { recursive: true });
  await editor.folder(folder);
  const deadline = performance.now() + limits.event;
  for (;;) {
    const files = (await readDiscoveryFiles(target.systemFolders)).filter(
      ({ content }) => content?.port === target.port,
    );
    const updated = files.filter(({ content }) =>
      String(content?.workspacePath).split(path.delimiter).includes(folder),
    );
    if (files.length > 0 && updated.length === files.length) return files;
    if (performance.now() > deadline) {
      throw new Broken(
        `after ${limits.event / 1000} s ${files.length - updated.length} of ${files.length} files do not have ${folder}`,
      );
    }
    await delay(50);
  }
}

export const foldersChange: Check = {
  id: "folders-change",
  title: "a folder that is opened appears in the files",
  requirements: ["D12"],
  lane: "editor",
  needs: ["editor-command", "files"],
  async run(bench) {
    await openAnother(bench, "another folder");
  },
};

export const rewrittenWhole: Check = {
  id: "rewritten-whole",
  title: "a discovery file that changes is replaced by another, not written to",
  requirements: ["S14"],
  lane: "editor",
  needs: ["editor-command", "files"],
  async run(bench) {
    const before = new Map<string, number>();
    for (const { path: file } of await readDiscoveryFiles(bench.target.systemFolders)) {
      before.set(file, (await stat(file)).ino);
    }
    const problems: string[] = [];
    for (const { path: file } of await openAnother(bench, "one more folder")) {
      const { ino } = await stat(file);
      if (before.get(file) === ino)
        problems.push(`${file} was written in place, where a CLI may read half of it`);
    }
    demandNone(problems);
  },
};
