import * as vscode from "vscode";

/** What the `when` clauses of the manifest ask for. */
export interface WhenKeys {
  /** Changes that wait for a decision. */
  readonly waiting: number;
  readonly connected: boolean;
  readonly sharingPaused: boolean;
}

/** @returns sets those that have changed */
export function createWhenKeys(): (keys: WhenKeys) => void {
  const last = new Map<string, unknown>();
  return (keys) => {
    for (const [name, value] of Object.entries(keys)) {
      if (last.get(name) === value) continue;
      last.set(name, value);
      void vscode.commands.executeCommand("setContext", `ideCompanion.${name}`, value);
    }
  };
}
