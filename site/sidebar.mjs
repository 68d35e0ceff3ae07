import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { editorsOf } from "./works-with.mjs";

/**
 * The parts and pages that docs/README.md lists, as VitePress has them in its sidebar.
 * @param {string} docs the folder docs/
 * @param {{ folder?: string, texts: Readonly<Record<string, unknown>> }} language only its translated pages, by their headings
 * @returns {{ text: string, items: { text: string, link: string }[] }[]}
 */
export function sidebarOf(docs, { folder, texts }) {
  const contents = readFileSync(join(docs, "README.md"), "utf8");
  const parts = [];
  for (const [, part, title, page] of contents.matchAll(/^\| (?:\*\*(.+?)\*\*|\[(.+?)\]\((.+?)\)) \|/gm)) {
    if (part !== undefined) parts.push({ text: texts[part.toLowerCase()] ?? part, items: [] });
    for (const path of page === undefined ? [] : [page, ...pagesBelow(docs, page)]) {
      const place = join(docs, folder ?? "", path);
      if (!existsSync(place)) continue;
      const text = path === page && folder === undefined ? title : headingOf(readFileSync(place, "utf8"));
      const link = `${folder === undefined ? "" : `/${folder}`}/${path.replace(/(?:README)?\.md$/, "")}`;
      parts.at(-1).items.push({ text, link });
    }
  }
  return parts.filter(({ items }) => items.length > 0);
}

/** The editors' pages, below the table of all editors. */
function pagesBelow(docs, page) {
  if (page !== "editors/README.md") return [];
  const links = editorsOf(readFileSync(join(docs, page), "utf8")).map(({ link }) => link.replace(/#.*/, ""));
  return [...new Set(links)].filter((link) => !link.startsWith("..")).map((link) => `editors/${link}`);
}

const headingOf = (markdown) => /^# (.+)$/m.exec(markdown)?.[1];
