import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { systemFoldersIn } from "../../target/folders.ts";
import { agentTests } from "../../testing/contract-tests.ts";
import { startOurFamily } from "../../testing/family-proxy.ts";
import { geminiFamily } from "./contract.ts";
import { findCompanions, startFamily } from "./target/target.ts";

agentTests({
  contract: geminiFamily,
  startOne: startFamily,
  async startExample(folder, work, fault, isFaulty) {
    const systemFolders = systemFoldersIn(folder);
    mkdirSync(systemFolders.tmp);
    const has = isFaulty ? fault : fault?.good;
    const example = await startOurFamily({ systemFolders, folders: [work], fault: has });
    const [target] = await findCompanions(systemFolders);
    if (!target) throw new Error("the example cannot be found");
    return { example, target };
  },
});

test.each(["MUST", "SHOULD"])("what a specification words with %s is not less here", (word) => {
  const lesser = { MUST: ["SHOULD", "MAY"], SHOULD: ["MAY"] }[word];
  const worded = geminiFamily.rules.requirements.filter(({ sources }) =>
    sources.some(({ location, says }) => location !== "" && says.split(/\W+/).includes(word)),
  );
  expect(worded).not.toEqual([]);
  expect(worded.filter(({ level }) => lesser?.includes(level))).toEqual([]);
});
