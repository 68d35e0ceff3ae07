import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll } from "vitest";
import { createPrivateFolders } from "../../packages/testkit/src/private-folders.ts";
import { createSandbox, type Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { insist, patience, poll } from "../../packages/testkit/src/waiting.ts";
import { type ScenarioOptions, scenario } from "./scenario.ts";
import { startVscode, vscodeNeeds } from "./vscode.ts";
import type { VscodeWindow } from "./vscode-window.ts";
import { windowEditor } from "./window-editor.ts";

export type SharedVscode = ReturnType<typeof sharedVscode>;

type Shared = Awaited<ReturnType<typeof start>>;

/**
 * One window of VS Code for all scenarios of a file: it costs more to start than most of them do. A scenario that fails
 * takes the window with it, and the next one starts another.
 */
export function sharedVscode() {
  let starting: Promise<Shared> | undefined;
  let isTidy = true;
  const share = () => {
    starting ??= start();
    return starting;
  };
  const end = async () => {
    const started = starting;
    starting = undefined;
    await (await started)?.close();
  };
  afterAll(end, patience);
  const open = async () => {
    if (!isTidy) await end();
    isTidy = false;
    const { folders, describe } = await share();
    const sandbox = await createSandbox({ ...folders, remove: () => {} });
    sandbox.own({ close: async () => {}, describe });
    return sandbox;
  };
  return {
    /**
     * One test in this window. It begins with an empty workspace: nothing is open, no agent is connected, no edits are
     * recovered. It fails when it leaves anything that cannot be tidied.
     */
    scenario(
      name: string,
      run: (sandbox: Sandbox, window: VscodeWindow) => Promise<void>,
      options?: Omit<ScenarioOptions, "concurrent" | "open">,
    ) {
      scenario(
        name,
        async (sandbox) => {
          const { window, ...shared } = await share();
          await run(sandbox, window);
          await sandbox.close();
          try {
            await tidy(window, shared);
          } catch (error) {
            console.error(await window.describe?.());
            throw error;
          }
          isTidy = true;
        },
        { ...options, needs: vscodeNeeds, open },
      );
    },
    /** The window as an editor, for scenarios that every editor has. */
    editor: windowEditor({ name: "VS Code", needs: vscodeNeeds }, share),
  };
}

async function start() {
  const folders = createPrivateFolders();
  const sandbox = await createSandbox(folders);
  try {
    const { server, window } = await startVscode(sandbox);
    // What HOME holds besides the CLIs' own files.
    const ownNames: ReadonlySet<string> = new Set(await readdir(sandbox.home));
    return { server, window, folders, ownNames, describe: sandbox.describe, close: sandbox.close };
  } catch (error) {
    console.error(await sandbox.describe());
    await sandbox.close();
    throw error;
  }
}

async function tidy(
  window: VscodeWindow,
  { folders: { home, workspace }, ownNames }: Pick<Shared, "folders" | "ownNames">,
): Promise<void> {
  const { page, command, status } = window;
  if (await page.locator(".terminal-wrapper").first().isVisible()) {
    await command("Terminal: Kill All Terminals");
    await page.locator(".terminal-wrapper").first().waitFor({ state: "detached" });
  }
  // A session ends some seconds after its CLI was killed.
  await status.filter({ hasText: "No agent" }).waitFor();
  const edits = join(home, ".local", "state", "ide-companion", "edits");
  const noEdits = async () =>
    !existsSync(edits) || (await readdir(edits)).every((name) => !name.endsWith(".json"));
  await poll("end of the edits on disk", noEdits);
  if (await page.locator(".notification-toast").first().isVisible())
    await command("Notifications: Clear All Notifications");
  await closeEditors(window);
  for (const name of await readdir(home)) if (!ownNames.has(name)) await remove(join(home, name));
  for (const name of await readdir(workspace)) await remove(join(workspace, name));
}

/** Unsaved edits are discarded. */
async function closeEditors({ page, command, tab }: VscodeWindow): Promise<void> {
  const tabs = tab(/./);
  const discard = page.locator(".monaco-dialog-box").getByRole("button", { name: "Don't Save" });
  const count = await tabs.count();
  if (count === 0) return;
  await command("View: Close All Editors");
  await insist(
    "end of all tabs",
    async () => {
      if (await discard.isVisible()) await discard.click();
    },
    async () => (await tabs.count()) === 0,
    { again: 100 },
  );
}

const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 });
