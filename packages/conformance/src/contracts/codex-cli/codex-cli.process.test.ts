import path from "node:path";
import { expect, test } from "vitest";
import { startOurCodex } from "../../testing/codex-proxy.ts";
import { agentTests } from "../../testing/contract-tests.ts";
import { codexCli, whyUnchecked } from "./contract.ts";
import { socketsOf, startCodex } from "./target/socket.ts";

agentTests({
  contract: codexCli,
  limits: { process: 8000 },
  startOne: startCodex,
  async startExample(folder, work, fault, isFaulty) {
    const home = path.join(folder, "codex");
    const sockets = socketsOf({ CODEX_HOME: home, TMPDIR: folder });
    const has = isFaulty ? fault : undefined;
    const example = await startOurCodex({ home, tmp: folder, folders: [work], fault: has });
    return { example, target: { ...sockets, name: "the example", roots: [work] } };
  },
});

test("the kit says why it does not check this contract on Windows, instead of finding nobody", () => {
  expect(whyUnchecked("win32")).toMatch(/share one pipe/);
  expect(whyUnchecked("linux")).toBeUndefined();
});
