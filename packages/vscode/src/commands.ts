import { messageOf } from "ide-companion/editor-kit";
import type * as vscode from "vscode";
import { commands } from "vscode";
import { warn } from "./messages.ts";

/** Registers a command of ours, whose user reads the sentence of an error that it throws. */
export const onCommand = (name: string, act: (...args: never[]) => unknown): vscode.Disposable =>
  commands.registerCommand(`ideCompanion.${name}`, async (...args: never[]) => {
    try {
      await act(...args);
    } catch (error) {
      warn(messageOf(error));
    }
  });
