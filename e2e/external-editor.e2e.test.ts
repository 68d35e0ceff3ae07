import { readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect } from "vitest";
import type { Sandbox } from "../packages/testkit/src/sandbox.ts";
import { poll } from "../packages/testkit/src/waiting.ts";
import { type AgentKind, startAgent } from "./harness/agent-cli.ts";
import { startCompanion } from "./harness/companion.ts";
import { pathWithCommand } from "./harness/editor.ts";
import { gemini } from "./harness/gemini.ts";
import { qwen } from "./harness/qwen.ts";
import { openReviewPage } from "./harness/review-page.ts";
import { scenario } from "./harness/scenario.ts";
import type { Terminal } from "./harness/terminal.ts";

/** As docs/reference/commands.md has it. */
const wrapper = `#!/bin/sh
exec ide-companion diff --quiet --output "$4" "$3" "$4"
`;

for (const kind of [gemini, qwen].map(withoutIde)) {
  scenario(
    `${kind.displayName} has a change modified in the page, as its external editor`,
    async (sandbox) => {
      const path = await sandbox.write("poem.txt", "roses\n");
      const companion = await startCompanion(sandbox);
      const [page, cli] = await Promise.all([
        openReviewPage(sandbox, companion.link),
        startAgent(sandbox, await withWrapper(sandbox, kind)),
      ]);
      await cli.proposeWrite(path, "tulips\n");
      const proposal = await page.proposal(await modify(sandbox, cli.terminal));
      await proposal.edit("tulips", "lilies");
      await proposal.accept();
      await cli.terminal.waitFor("lilies");
      await choose(
        cli.terminal,
        "1",
        async () => !(await cli.terminal.screen()).includes("Apply this change?"),
      );
      await cli.finished();
      expect(String(await sandbox.read("poem.txt"))).toBe("lilies\n");
    },
    { matrix: kind.name === qwen.name },
  );
}

/** @returns the name of the file that the CLI has made of the present text */
async function modify(sandbox: Sandbox, terminal: Terminal): Promise<string> {
  return choose(terminal, "3", async () => {
    const files = await readdir(sandbox.tmp, { recursive: true });
    return files.map((file) => basename(file)).find((name) => /-modify-poem-old-\d+\.txt$/.test(name));
  });
}

/** Presses a choice's number until it has an effect: a CLI that is busy overhears a key. */
function choose<T>(
  terminal: Terminal,
  number: string,
  effect: () => Promise<T | false | undefined>,
): Promise<T> {
  return poll(`effect of ${number}`, async () => {
    await terminal.type(number);
    return poll("effect", effect, { within: 5000 }).catch(() => undefined); // overheard: once more
  });
}

/** The CLI as those have it who do not use its IDE mode. */
function withoutIde(kind: AgentKind): AgentKind {
  const { general } = kind.settings as { general: object };
  const ide = { enabled: false, hasSeenNudge: true };
  return {
    ...kind,
    settings: { ...kind.settings, ide, general: { ...general, preferredEditor: "windsurf" } },
  };
}

/** The same CLI, which finds the wrapper and our command in its PATH. */
async function withWrapper(sandbox: Sandbox, kind: AgentKind): Promise<AgentKind> {
  await pathWithCommand(sandbox);
  const bin = join(sandbox.home, "bin");
  await writeFile(join(bin, "windsurf"), wrapper, { mode: 0o755 });
  const env = (model: Parameters<AgentKind["env"]>[0]) => {
    const own = kind.env(model);
    return { ...own, PATH: `${bin}:${own.PATH ?? sandbox.env.PATH}` };
  };
  return { ...kind, env };
}
