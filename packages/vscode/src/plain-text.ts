import { safeText } from "ide-companion/editor-kit";

/** Escapes a sentence with foreign names for a message of VS Code, where `[text](command:…)` would be a link. */
export function toMessage(sentence: string): string {
  return safeText(sentence).replaceAll("](", "] (");
}

/** Escapes a text for a tooltip, so that nothing in it is Markdown. */
export function toMarkdown(text: string): string {
  return safeText(text).replace(/[\\`*_{}[\]()#+\-.!<>|~&$:]/g, "\\$&");
}
