import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { privateFolder } from "../../../../../testkit/src/private-folder.ts";
import { agentNames, agents } from "../../../agents.ts";
import { systemFoldersIn } from "../../../target/folders.ts";
import { folderOf, nameOf, readDiscoveryFiles } from "./discovery-file.ts";

test("a discovery file of every kind is found, with the numbers that its name holds", async () => {
  const systemFolders = systemFoldersIn(privateFolder(onTestFinished));
  for (const { kind } of agentNames.flatMap((agent) => agents[agent].files)) {
    const folder = folderOf(kind, systemFolders);
    mkdirSync(folder, { recursive: true });
    const name = nameOf(kind, { pid: 11, port: 22 }).replace("<number>", "33");
    writeFileSync(join(folder, name), '{"port":22}');
  }
  const found = await readDiscoveryFiles(systemFolders);
  expect(found.map(({ kind, agent, pid, port }) => [kind, agent, pid, port]).sort()).toEqual([
    ["gemini-file", "gemini", 11, 22],
    ["gemini-older-file", "gemini", 11, undefined],
    ["qwen-file", "qwen", 11, 22],
    ["qwen-lock", "qwen", undefined, 22],
    ["qwen-older-file", "qwen", undefined, undefined],
  ]);
});
