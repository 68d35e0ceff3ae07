import { messageOf } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { toMessage } from "./plain-text.ts";

/** Registers a command of ours, whose user reads the sentence of an error that it throws. */
export const onCommand = (name: string, act: (...args: never[]) => unknown): vscode.Disposable =>
  vscode.commands.registerCommand(`ideCompanion.${name}`, async (...args: never[]) => {
    try {
      await act(...args);
    } catch (error) {
      void vscode.window.showWarningMessage(toMessage(messageOf(error)));
    }
  });
