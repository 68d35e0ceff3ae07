import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "..", "..", "docs", "editors");

/**
 * What users copy from a page of docs/editors.
 * @param language of the code blocks, as `lua`
 * @param which the code block of that language that holds this; all of them by default
 * @throws Error when the page has none
 */
export function codeOn(page: string, language: string, which = ""): string {
  const text = readFileSync(join(folder, page), "utf8");
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms"))];
  const wanted = blocks.map(([, code = ""]) => code).filter((code) => code.includes(which));
  if (wanted.length === 0) throw new Error(`${page} has no ${language} with ${which}`);
  return wanted.join("\n");
}
