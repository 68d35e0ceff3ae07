import { readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../../testkit/src/eventually.ts";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { privateHost, startCore } from "../testing/core.ts";
import type { IdeClient } from "./ide-client.ts";
import type { DiffOutcome } from "./pending-diffs.ts";

/** What the page's examples export, all of them together as one module. */
interface Page {
  connect(folder: string): Promise<IdeClient>;
  describeContext(ide: IdeClient): readonly string[];
  propose(ide: IdeClient, filePath: string, newContent: string): Promise<string>;
  review(
    ide: IdeClient,
    filePath: string,
    newContent: string,
    askInTerminal: (signal: AbortSignal) => Promise<boolean>,
  ): Promise<DiffOutcome>;
}

async function loadPage(): Promise<Page> {
  const page = readFileSync(path.join(import.meta.dirname, "../../../../docs/reference/client.md"), "utf8");
  const examples = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = ""]) => code).join("\n");
  const library = pathToFileURL(path.join(import.meta.dirname, "index.ts")).href;
  const file = path.join(privateFolder(), "page.mjs");
  writeFileSync(file, examples.replace('"ide-companion/client"', JSON.stringify(library)));
  return import(/* @vite-ignore */ file);
}

/** The examples name no machine: this one is the test's own. */
async function startCompanion() {
  const host = privateHost();
  vi.stubEnv("TMPDIR", host.tmp);
  vi.stubEnv("HOME", host.home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const core = await startCore({ host });
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const page = await loadPage();
  const ide = await page.connect(core.root);
  onTestFinished(() => ide.close());
  return { core, page, ide, said: () => log.mock.calls.map(([line]) => line) };
}

describe("the examples of docs/reference/client.md", () => {
  test("connect", async () => {
    const { said, core } = await startCompanion();
    expect(said()).toEqual(["connecting", "connected", "connected to Memory"]);
    expect(core.events).toContainEqual(
      expect.objectContaining({
        kind: "session-opened",
        session: expect.objectContaining({ agent: "My Agent" }),
      }),
    );
  });

  test("describe what the user looks at", async () => {
    const { core, page, ide } = await startCompanion();
    const file = path.join(core.root, "a.ts");
    writeFileSync(file, "text");
    core.editor.look({
      files: [{ path: file, focusedAt: 1, cursor: { line: 2, character: 1 }, selectedText: "text" }],
      activePath: file,
    });
    await eventually(() =>
      expect(page.describeContext(ide)).toEqual([`open: ${file}`, `at line 2 of ${file}`, "selected: text"]),
    );
  });

  test("propose a change, and write what the user has made of it", async () => {
    const { core, page, ide } = await startCompanion();
    const file = path.join(core.root, "a.ts");
    const outcome = page.propose(ide, file, "proposed");
    await eventually(() => core.editor.edit(file, "edited"));
    core.editor.accept(file);
    expect(await outcome).toBe("accepted");
    expect(await readFile(file, "utf8")).toBe("edited");
  });

  test("ask in the terminal next to the diff, and take the first answer", async () => {
    const { core, page, ide } = await startCompanion();
    const file = path.join(core.root, "a.ts");
    let answer = (_yes: boolean) => {};
    const ask = (signal: AbortSignal) =>
      new Promise<boolean>((resolve, reject) => {
        answer = resolve;
        signal.addEventListener("abort", reject);
      });
    const first = page.review(ide, file, "proposed", ask);
    await eventually(() => core.editor.edit(file, "edited"));
    answer(true);
    expect(await first).toEqual({ kind: "accepted", content: "edited" });
    const second = page.review(ide, file, "proposed", ask);
    await eventually(() => core.editor.find(file));
    core.editor.reject(file);
    expect(await second).toEqual({ kind: "rejected" });
  });
});
