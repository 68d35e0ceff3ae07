import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stateFolder } from "../../system/host.ts";
import { startCore } from "../../testing/core.ts";

/** As a companion that was killed over this diff leaves it. */
async function leave(folder: string, filePath: string): Promise<void> {
  const child = spawn("true");
  await once(child, "exit");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, `${child.pid}-00.json`), JSON.stringify([{ agent: "Gemini CLI", filePath }]), {
    mode: 0o600,
  });
}

test("a CLI whose companion was killed over a diff hears of its end from the next one, and no other agent does", async () => {
  const { client, host, root, companion } = await startCore();
  const folder = join(stateFolder(host), "open-diffs");
  const left = join(root, "left.txt");
  await leave(folder, left);
  // By two companions, one after the other.
  await leave(folder, left);
  await leave(folder, "/elsewhere/other.txt");

  const gemini = await client().initialize();
  const stream = await gemini.openStream();
  expect((await stream.method("ide/diffRejected")).params).toEqual({ filePath: left });
  expect(stream.events.map(({ method }) => method)).toEqual(["ide/contextUpdate", "ide/diffRejected"]);
  const qwen = await (await client("qwen").initialize()).openStream();
  await qwen.method("ide/contextUpdate");
  expect(qwen.events.map(({ method }) => method)).toEqual(["ide/contextUpdate"]);

  const open = join(root, "open.txt");
  await gemini.call("openDiff", { filePath: open, newContent: "new\n" });
  const own = readdirSync(folder).find((name) => name.startsWith(`${process.pid}-`)) ?? "";
  expect(JSON.parse(readFileSync(join(folder, own), "utf8"))).toEqual([
    { agent: "Gemini CLI", filePath: open },
  ]);
  await companion.close();
  expect(readdirSync(folder)).not.toContain(own);
});
