import { describe, expect, test } from "vitest";
import { createWorld, serve, start, useExecutable } from "../process-fixture.ts";

useExecutable();

describe("watch, where its output is no terminal", () => {
  test("prints lines, over the end of a companion and the start of the next", async () => {
    const world = createWorld();
    const watch = start(world, ["watch"]);
    await watch.until(/Companion {3}none serves .*app: waiting for one/);
    const first = await serve(world);
    await watch.until(/Companion {3}Review page on port \d+ serves .*app/);
    first.child.kill();
    await watch.until(/Companion {3}gone/);
    await serve(world);
    await watch.until(/gone[\s\S]*Review page on port \d+ serves/);
    watch.child.kill("SIGINT");
    expect(await watch.end).toBe(130);
  });

  test("prints JSON without any token", async () => {
    const world = createWorld();
    await serve(world);
    const watch = start(world, ["watch", "--json"]);
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
      roots: [world.app],
    });
    expect(report).toMatchObject({ kind: "report", roots: [world.app], sessions: [], diffs: [] });
  });

  test("ends when nobody reads it any more", async () => {
    const world = createWorld();
    const watch = start(world, ["watch"]);
    await watch.until(/none serves/);
    watch.child.stdout?.destroy();
    const companion = await serve(world);
    expect(await watch.end).toBe(0);
    companion.child.kill();
  });
});
