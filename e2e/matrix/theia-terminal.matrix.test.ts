import { expect } from "vitest";
import { startConnected } from "../harness/agent-cli.ts";
import { gemini } from "../harness/gemini.ts";
import { inWindow } from "../harness/integrated-terminal.ts";
import { modelReceives } from "../harness/model-receives.ts";
import { qwen } from "../harness/qwen.ts";
import { scenario } from "../harness/scenario.ts";
import { theiaNeeds as needs, startTheia, theiaTime } from "../harness/theia.ts";
import { lookAt, select } from "../harness/window-editor.ts";

for (const kind of [gemini, qwen]) {
  scenario(
    `${kind.displayName} in Theia's own terminal: a selection, an edit, and a tab that is closed with an edit in it`,
    async (sandbox) => {
      const path = await sandbox.write("note.txt", "alpha\nbravo\ncharlie\n");
      const { window } = await startTheia(sandbox);
      const { page } = window;
      await window.open(path);
      const start = inWindow(window, kind.name, `Run ${kind.displayName}`);
      const cli = await startConnected(sandbox, kind, { start });
      await select(window, "bravo");
      const received = await modelReceives(cli, /\bbravo\b/);
      expect(received).toContain(path);
      expect(received).not.toContain("charlie");

      const tab = window.tab(`note.txt (${kind.displayName})`);
      await cli.proposeReplace(path, "bravo", "beta");
      // It may have come behind: something was selected a moment ago.
      await tab.click();
      const accepted = await lookAt(window);
      await accepted.replace("beta", "zwei");
      await accepted.accept();
      await cli.finished();
      expect(String(await sandbox.read("note.txt"))).toBe("alpha\nzwei\ncharlie\n");
      await tab.waitFor({ state: "detached" });

      await cli.proposeReplace(path, "charlie", "gamma");
      await tab.click();
      await (await lookAt(window)).replace("gamma", "drei");
      await window.closeButton(tab).click();
      // Theia asks so of whatever was edited, unless it saves automatically.
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await tab.waitFor({ state: "detached" });
      await window.command("IDE Companion: Go to a Change That Waits");
      await page.locator(".view-line").filter({ hasText: "drei" }).waitFor();
      await (await lookAt(window)).accept();
      await cli.finished();
      expect(String(await sandbox.read("note.txt"))).toBe("alpha\nzwei\ndrei\n");
    },
    { needs, within: theiaTime },
  );
}
