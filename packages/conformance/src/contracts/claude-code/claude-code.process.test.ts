import path from "node:path";
import { expect, test } from "vitest";
import { agentChoices } from "../../agents.ts";
import { startOurClaude } from "../../testing/claude-proxy.ts";
import { agentTests } from "../../testing/contract-tests.ts";
import { contracts } from "../index.ts";
import { claudeCode } from "./contract.ts";
import { claudeLocking } from "./lock-file.ts";

agentTests({
  contract: claudeCode,
  startOne: claudeLocking.start,
  async startExample(folder, work, fault, isFaulty) {
    const configFolder = path.join(folder, "claude");
    const example = await startOurClaude({
      configFolder,
      folders: [work],
      fault: isFaulty ? fault : undefined,
    });
    const [target] = await claudeLocking.find([configFolder]);
    if (!target) throw new Error("the example cannot be found");
    return { example, target };
  },
});

test("every agent that can be named has a contract", () => {
  expect(contracts.flatMap(({ agents }) => agents)).toEqual(agentChoices);
});
