import type { VscodeWindow } from "./vscode-window.ts";

/** The user takes the offer of edits that no file holds, and reads this text in them. */
export async function showOwnEdits({ page, command }: VscodeWindow, text: string): Promise<void> {
  // Some seconds after it has come, a notification stands in the list alone.
  await command("Notifications: Show Notifications");
  await page.getByRole("button", { name: "Show my edits" }).click();
  await page.locator(".modified-in-monaco-diff-editor .view-line").filter({ hasText: text }).waitFor();
}

/** The user discards the edits of a file that are shown. @param name of the file */
export async function discardOwnEdits({ page, action, tab }: VscodeWindow, name: string): Promise<void> {
  await action("Discard Recovered Edits").click();
  const dialog = page.locator(".monaco-dialog-box").filter({ hasText: `Discard your edits of ${name}?` });
  await dialog.getByRole("button", { name: "Discard" }).click();
  await tab(`${name} (your recovered edits)`).waitFor({ state: "detached" });
}
