import path from "node:path";
import { agentTests } from "../../testing/contract-tests.ts";
import { copilotCli } from "./contract.ts";
import { startCopilotExample } from "./example/companion.ts";
import { findCompanions, startCopilot } from "./lock-file.ts";

agentTests({
  contract: copilotCli,
  startOne: startCopilot,
  async startExample(folder, work, fault, isFaulty) {
    const rules = (isFaulty && fault?.rules) || {};
    const home = path.join(folder, "copilot");
    const example = await startCopilotExample({ home, tmp: folder, folders: [work], rules });
    const [target] = await findCompanions(home);
    if (!target) throw new Error("the example cannot be found");
    return { example, target };
  },
});
