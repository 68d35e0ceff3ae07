import path from "node:path";
import { expect, test } from "vitest";
import { agentTests } from "../../testing/contract-tests.ts";
import { codexCli, whyUnchecked } from "./contract.ts";
import { startCodexExample } from "./example/companion.ts";
import { startCodex } from "./target/socket.ts";

agentTests({
  contract: codexCli,
  limits: { process: 3000 },
  startOne: startCodex,
  async startExample(folder, work, fault, isFaulty) {
    const rules = (isFaulty && fault?.rules) || {};
    const sockets = {
      socket: path.join(folder, "codex", "ipc", "ipc.sock"),
      formerSocket: path.join(folder, "codex-ipc", "ipc.sock"),
    };
    const example = await startCodexExample({ ...sockets, folders: [work], rules });
    return { example, target: { ...sockets, name: "the example", roots: [work] } };
  },
});

test("the kit says why it does not check this contract on Windows, instead of finding nobody", () => {
  expect(whyUnchecked("win32")).toMatch(/share one pipe/);
  expect(whyUnchecked("linux")).toBeUndefined();
});
