import { setTimeout as delay } from "node:timers/promises";
import type { Locator } from "playwright-core";
import type { Resident, Sandbox } from "../../packages/testkit/src/sandbox.ts";
import type { Editor, EditorKind, EditorProposal } from "./editor.ts";
import type { TerminalWindow } from "./integrated-terminal.ts";
import { find, replaceInProposal } from "./monaco.ts";
import type { ServedEditor } from "./served-editor.ts";

/** A window of an editor of VS Code's kind, used as a person uses it: by what is to be seen. */
export interface EditorWindow extends Resident, TerminalWindow {
  /** Opens a file of any name. @param path absolute */
  open(path: string): Promise<void>;
  /** The tab of this label, such as `note.txt (Gemini CLI)`. */
  tab(label: string | RegExp): Locator;
  /** The tab of what is looked at. */
  readonly activeTab: Locator;
  closeButton(tab: Locator): Locator;
  /** The text editor that is looked at. */
  readonly activeEditor: Locator;
  /** The button above what is looked at, by the beginning of its title. */
  action(title: string): Locator;
}

/** An editor that is driven by its window. */
export function windowEditor(
  kind: Omit<EditorKind, "start">,
  startEditor: (sandbox: Sandbox) => Promise<{ server: ServedEditor; window: EditorWindow }>,
): EditorKind {
  return {
    ...kind,
    async start(sandbox, files) {
      const { server, window } = await startEditor(sandbox);
      for (const file of files) await window.open(file);
      return createEditor(server, window);
    },
  };
}

function createEditor(server: ServedEditor, window: EditorWindow): Editor {
  const { page, activeEditor } = window;
  const lines = activeEditor.locator(".view-line");
  return {
    open: window.open,
    close: () => window.closeButton(window.activeTab).click(),
    select: (text) => select(window, text),
    async typeUnsaved(text) {
      await lines.first().click();
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("End");
      await page.keyboard.type(text);
    },
    async shows(text) {
      await lines.filter({ hasText: text }).waitFor();
    },
    async decideWritten(decision, text) {
      await lines.filter({ hasText: text }).first().click();
      await activeEditor.locator(".glyph-margin-widgets .cgmr").first().waitFor();
      await window.command(`IDE Companion: ${decision} What an Agent Wrote`);
    },
    saveAll: () => window.command("File: Save All"),
    says: (text) => page.getByText(text).first().waitFor(),
    async proposal(name) {
      await window.tab(`${name} (`).click();
      return lookAt(window);
    },
    async nothingWaits() {
      await window
        .tab(/\((Gemini CLI|Qwen Code|Claude Code|Copilot CLI|Fake CLI)[ \d]*\)/)
        .first()
        .waitFor({ state: "detached" });
    },
    kill: server.kill,
  };
}

/** Selects the first occurrence of a text in the editor that is looked at. */
export const select = ({ page, activeEditor }: EditorWindow, text: string): Promise<void> =>
  find(page, activeEditor, text);

/** Milliseconds after a decision within which a click counts as its double click, and some to spare. */
const doubleClick = 400;

/** The proposal in the active tab. */
export async function lookAt({ page, action }: EditorWindow): Promise<EditorProposal> {
  await action("Accept").waitFor();
  await delay(doubleClick);
  return {
    replace: (before, after) => replaceInProposal(page, before, after),
    accept: () => action("Accept").click(),
    reject: () => action("Reject").click(),
  };
}
