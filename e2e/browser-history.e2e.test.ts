import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { startCompanion } from "./harness/companion.ts";
import { discoveryFiles } from "./harness/discovery-files.ts";
import { openReviewPage } from "./harness/review-page.ts";
import { scenario } from "./harness/scenario.ts";

scenario(
  "what a browser keeps of the page lets nobody in, and shows nobody what was selected",
  async (sandbox) => {
    await sandbox.write("poem.txt", "A violet by a mossy stone\n");
    const companion = await startCompanion(sandbox);
    const review = await openReviewPage(sandbox, companion.link, { isWhole: true });
    await review.openFile("poem.txt");
    await review.select("mossy");
    await review.contextHolds("mossy");
    await review.page.context().close();
    const kept = await profilesOf(sandbox);
    // Chromium writes down what was typed or given to it, also when that leads elsewhere.
    expect(kept).toContain(companion.link);
    for (const link of new Set(kept.match(/http:[^\s\0]*\/open\?key=[\w-]+/g))) {
      const answer = await fetch(link, { redirect: "manual" });
      expect([answer.status, answer.headers.get("set-cookie")]).toEqual([401, null]);
    }
    expect([...(await tokens(sandbox)), "mossy"].filter((secret) => kept.includes(secret))).toEqual([]);
  },
);

/** All that the browsers of a sandbox have written, as text; what they write with two bytes a character too. */
async function profilesOf(sandbox: Sandbox): Promise<string> {
  const entries = await readdir(sandbox.tmp, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.parentPath.includes("browser-"));
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), "latin1")));
  return texts.map((text) => `${text}\n${text.replaceAll("\0", "")}`).join("\n");
}

async function tokens(sandbox: Sandbox): Promise<string[]> {
  const texts = await Promise.all((await discoveryFiles(sandbox)).map((file) => readFile(file, "utf8")));
  return texts.map((text) => JSON.parse(text).authToken);
}
