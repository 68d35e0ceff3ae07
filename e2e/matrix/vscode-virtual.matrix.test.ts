import { expect } from "vitest";
import { startBrowser } from "../harness/browser.ts";
import { startCodeServer } from "../harness/code-server.ts";
import { discoveryFiles } from "../harness/discovery-files.ts";
import { scenario } from "../harness/scenario.ts";
import { vscodeNeeds as needs } from "../harness/vscode.ts";

/** A file system in memory, with one file: what makes a workspace virtual. */
const memory = {
  publisher: "stand-in",
  name: "memory",
  displayName: "Stand-in for a virtual file system",
  activationEvents: ["onFileSystem:stand-in"],
  code: `
const { EventEmitter, FileType, workspace } = require("vscode");
const root = (uri) => uri.path === "/root";
workspace.registerFileSystemProvider("stand-in", {
  onDidChangeFile: new EventEmitter().event,
  watch: () => ({ dispose() {} }),
  stat: (uri) => ({ type: root(uri) ? FileType.Directory : FileType.File, ctime: 0, mtime: 0, size: 0 }),
  readDirectory: () => [["nowhere.txt", FileType.File]],
  readFile: () => Buffer.from("on no disk\\n"),
});`,
};

scenario(
  "in a virtual workspace VS Code leaves the extension off, and says why",
  async (sandbox) => {
    const [server, browser] = await Promise.all([
      startCodeServer(sandbox, { standIns: [memory] }),
      startBrowser(sandbox, { viewport: { width: 1400, height: 1000 } }),
    ]);
    const page = await browser.newPage();
    await page.goto(server.urlOf("stand-in:/root"));
    await page.locator(".statusbar-item").first().waitFor();
    await page.keyboard.press("Control+Shift+X");
    await page.locator(".extension-list-item").filter({ hasText: "IDE Companion" }).click();
    await page.locator(".extension-editor").getByText("Agents work on files on disk").waitFor();
    expect(await discoveryFiles(sandbox)).toEqual([]);
  },
  { needs },
);
