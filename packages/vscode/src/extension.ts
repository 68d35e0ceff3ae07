import type * as vscode from "vscode";
import { openWindow, type Window } from "./window.ts";

let opened: Promise<Window> | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  opened = openWindow(context);
  await opened;
}

/** VS Code waits a few seconds for this when it ends or reloads a window. */
export async function deactivate(): Promise<void> {
  await (await opened)?.close();
}
