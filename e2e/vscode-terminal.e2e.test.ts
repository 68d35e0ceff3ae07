import { expect } from "vitest";
import { startAgent } from "./harness/agent-cli.ts";
import { chain } from "./harness/chain.ts";
import { gemini } from "./harness/gemini.ts";
import { inWindow } from "./harness/integrated-terminal.ts";
import { qwen } from "./harness/qwen.ts";
import { toldModel } from "./harness/told.ts";
import { vscodeNeeds as needs, startVscode } from "./harness/vscode.ts";
import { lookAt, select } from "./harness/window-editor.ts";

const lines = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
const text = (...changed: readonly string[]) =>
  `${lines.map((line) => changed.find((other) => other.startsWith(line)) ?? line).join("\n")}\n`;

for (const kind of [gemini, qwen]) {
  chain(
    `${kind.displayName} in VS Code's own terminal: a selection, a change taken back, an edit, closing and Esc`,
    async (world) => {
      const path = await world.write("numbers.txt", text());
      // A repository that would like to choose what is run: VS Code must not even look.
      const settings = { [`ideCompanion.${kind.name}.command`]: "touch chosen-by-repository" };
      await world.write(".vscode/settings.json", JSON.stringify(settings));
      const { window } = await startVscode(world);
      await window.open(path);
      const start = inWindow(window, kind.name, `Run ${kind.displayName}`);
      const cli = await startAgent(world, kind, { start });
      await cli.connected();
      expect(await world.read("chosen-by-repository")).toBeUndefined();
      await window.status.filter({ hasText: kind.displayName }).waitFor();
      await select(window, "four");
      expect(await toldModel(cli, /\bfour\b/)).toContain(path);

      await cli.proposeWriteAfterReading(path, text("two, changed", "seven, changed"));
      const proposal = await lookAt(window);
      await window.page.getByRole("button", { name: "Take back" }).first().click();
      await window.page.getByText("+1 −1").waitFor();
      await proposal.replace("seven, changed", "seven, edited");
      await proposal.accept();
      await cli.finished();
      expect(String(await world.read("numbers.txt"))).toBe(text("seven, edited"));

      const tab = window.tab(`numbers.txt (${kind.displayName})`);
      await cli.proposeWriteAfterReading(path, text("one, changed"));
      // It may have come behind: something was edited a moment ago.
      await tab.click();
      await tab.getByRole("button", { name: "Close" }).click();
      await cli.terminal.waitFor(kind.rejected);

      await cli.proposeWriteAfterReading(path, text("three, changed"));
      await tab.waitFor();
      await cli.cancelInTerminal();
      await tab.waitFor({ state: "detached" });
      expect(String(await world.read("numbers.txt"))).toBe(text("seven, edited"));
    },
    { needs },
  );
}
