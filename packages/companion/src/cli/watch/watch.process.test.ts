import { describe, expect, test } from "vitest";
import { createSandbox, serve, start, useExecutable } from "../process-fixture.ts";

useExecutable();

describe("watch", () => {
  test("prints lines, over the end of a companion and the start of the next", async () => {
    const sandbox = createSandbox();
    const watch = start(sandbox, ["watch"]);
    await watch.until(/Companion {3}none serves .*app: waiting for one/);
    const first = await serve(sandbox);
    await watch.until(/Companion {3}Review page on port \d+ serves .*app/);
    first.child.kill();
    await watch.until(/Companion {3}gone/);
    // Until its page is closed, too, the next one would open that.
    await first.end;
    await serve(sandbox);
    await watch.until(/gone[\s\S]*Review page on port \d+ serves/);
    watch.child.kill("SIGINT");
    expect(await watch.end).toBe(130);
  });

  test("prints JSON without any token", async () => {
    const sandbox = createSandbox();
    await serve(sandbox);
    const watch = start(sandbox, ["watch", "--json"]);
    await watch.until(/"kind":"report".*\n/);
    watch.child.kill();
    await watch.end;
    const [found, report] = watch.text
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(found).toEqual({
      kind: "found",
      port: expect.any(Number),
      pid: expect.any(Number),
      editor: { name: "review", displayName: "Review page" },
      roots: [sandbox.app],
    });
    expect(report).toMatchObject({ kind: "report", roots: [sandbox.app], sessions: [], diffs: [] });
  });

  test("ends when nobody reads it any more", async () => {
    const sandbox = createSandbox();
    const watch = start(sandbox, ["watch"]);
    await watch.until(/none serves/);
    watch.child.stdout?.destroy();
    const companion = await serve(sandbox);
    expect(await watch.end).toBe(0);
    companion.child.kill();
  });
});
