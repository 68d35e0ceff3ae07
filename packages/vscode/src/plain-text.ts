import { safeText } from "ide-companion/editor-kit";

/** A sentence with names that others chose, for a message of VS Code: there `[text](command:…)` would be a link. */
export function toMessage(sentence: string): string {
  return safeText(sentence).replaceAll("](", "] (");
}

/** The same for a tooltip, in which nothing of it is Markdown. */
export function toMarkdown(text: string): string {
  return safeText(text).replace(/[\\`*_{}[\]()#+\-.!<>|~&$:]/g, "\\$&");
}
