import { expect } from "vitest";
import { startAgent } from "./harness/agent-cli.ts";
import { gemini } from "./harness/gemini.ts";
import { inWindow } from "./harness/integrated-terminal.ts";
import { modelReceives } from "./harness/model-receives.ts";
import { qwen } from "./harness/qwen.ts";
import { scenario } from "./harness/scenario.ts";
import { vscodeNeeds as needs, startVscode } from "./harness/vscode.ts";
import { lookAt, select } from "./harness/window-editor.ts";

const lines = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const text = (...changed: readonly string[]) =>
  `${lines.map((line) => changed.find((other) => other.startsWith(line)) ?? line).join("\n")}\n`;

for (const kind of [gemini, qwen])
  scenario(
    `${kind.displayName} in VS Code's own terminal: a selection, a change reverted, an edit, closing and Esc`,
    async (sandbox) => {
      // A repository that would like to choose what is run: VS Code must not even look.
      const settings = { [`ideCompanion.${kind.name}.command`]: "touch chosen-by-repository" };
      await sandbox.write(".vscode/settings.json", JSON.stringify(settings));
      const { window } = await startVscode(sandbox);
      const path = await sandbox.write("numbers.txt", text());
      await window.open(path);
      const start = inWindow(window, kind.name, `Run ${kind.displayName}`);
      const cli = await startAgent(sandbox, kind, { start });
      await cli.connected();
      expect(await sandbox.read("chosen-by-repository")).toBeUndefined();
      await window.status.filter({ hasText: kind.displayName }).waitFor();
      await select(window, "four");
      expect(await modelReceives(cli, /\bfour\b/)).toContain(path);

      const tab = window.tab(`numbers.txt (${kind.displayName})`);
      await cli.proposeWriteAfterReading(path, text("two, changed", "seven, changed"));
      // It comes behind where the selection was made a moment ago.
      await tab.click();
      const proposal = await lookAt(window);
      await window.page.getByRole("button", { name: "Revert" }).first().click();
      await window.page.getByText("+1 −1").waitFor();
      await proposal.replace("seven, changed", "seven, edited");
      await proposal.accept();
      await cli.finished();
      expect(String(await sandbox.read("numbers.txt"))).toBe(text("seven, edited"));

      await cli.proposeWriteAfterReading(path, text("one, changed"));
      await tab.click();
      await tab.getByRole("button", { name: "Close" }).click();
      await cli.terminal.waitFor(kind.rejected);

      await cli.proposeWriteAfterReading(path, text("three, changed"));
      await tab.waitFor();
      await cli.cancelInTerminal();
      await tab.waitFor({ state: "detached" });
      expect(String(await sandbox.read("numbers.txt"))).toBe(text("seven, edited"));
    },
    { needs, within: 480_000, matrix: kind === qwen },
  );
