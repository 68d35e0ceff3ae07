import { randomInt } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createRandom } from "../harness/random.ts";
import { clientOf, discoveryFiles } from "./companion-process.ts";
import { cause, type Fixture } from "./fault.ts";
import { faults } from "./part.ts";

// They mostly wait.
describe.concurrent("when the machine fails around a companion", () => {
  for (const fault of faults) {
    test(fault.sentence, async ({ skip }) => {
      const reason = fault.obstacle?.();
      if (reason !== undefined) skip(reason);
      await cause(fault, { standstill: 1000, random: createRandom(randomInt(2 ** 31)) });
    });
  }
});

test("a discovery file that is being written is not read", async () => {
  const run = async (fixture: Fixture) => {
    const folder = join(fixture.sandbox.host.tmp, "qwen", "ide");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "qwen-code-ide-server-1-2.json.tmp"), "");
    writeFileSync(join(folder, "qwen-code-ide-server-1-3.json"), '{"port":3,"authToken":"secret"}');
    expect(discoveryFiles(fixture)).toHaveLength(2);
    expect(clientOf(fixture, "qwen", 3)).toMatchObject({ port: 3 });
  };
  await cause({ sentence: "", run }, { standstill: 0, random: createRandom(1) });
});

test("docs/inside/security.md has the number of faults", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/inside/security.md"), "utf8");
  expect(/\| (\d+) faults \|/.exec(page)?.[1]).toBe(String(faults.length));
});
