import { window } from "vscode";
import { toMessage } from "./plain-text.ts";

/** What the user is to know. A sentence may hold foreign names. */
export const inform = (sentence: string): void => void window.showInformationMessage(toMessage(sentence));

export const warn = (sentence: string): void => void window.showWarningMessage(toMessage(sentence));

/** The same as `inform`, with a button for what the user may do then. */
export async function offer(sentence: string, button: string, act: () => unknown): Promise<void> {
  const answer = await window.showInformationMessage(toMessage(sentence), button);
  if (answer === button) await act();
}
