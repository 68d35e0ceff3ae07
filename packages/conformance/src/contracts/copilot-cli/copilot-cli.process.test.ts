import path from "node:path";
import { agentTests } from "../../testing/contract-tests.ts";
import { startOurCopilot } from "../../testing/copilot-proxy.ts";
import { copilotCli } from "./contract.ts";
import { copilotLocking } from "./lock-file.ts";

agentTests({
  contract: copilotCli,
  startOne: copilotLocking.start,
  async startExample(folder, work, fault, isFaulty) {
    const home = path.join(folder, "copilot");
    const example = await startOurCopilot({ home, folders: [work], fault: isFaulty ? fault : undefined });
    const [target] = await copilotLocking.find([home]);
    if (!target) throw new Error("the example cannot be found");
    return { example, target };
  },
});
