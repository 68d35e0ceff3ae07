import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { inRepository } from "../scripts/repository.mjs";

/**
 * @param {string} file relative to the repository
 * @returns {Promise<string[]>} the relative links of a Markdown file that lead to no file or to no anchor, as sentences
 */
export async function brokenLinks(file) {
  const broken = [];
  for (const link of linksIn(await readFile(inRepository(file), "utf8"))) {
    const [path, anchor] = link.split("#");
    const target = path === "" ? inRepository(file) : join(dirname(inRepository(file)), decodeURI(path));
    if (relative(inRepository(), target).startsWith("..") || !existsSync(target)) {
      broken.push(`${file}: ${link} leads to no file`);
    } else if (anchor !== undefined && !anchorsIn(await readFile(target, "utf8")).has(anchor)) {
      broken.push(`${file}: ${link} leads to no heading`);
    }
  }
  return broken;
}

/**
 * @returns {Promise<string[]>} the pages of docs/ that a source file cites, such as `docs/reference/contract.md#1-transport`,
 *   and that are not there
 */
export async function brokenCitations() {
  const options = ["grep", "-hI", "docs/.*\\.md", "--", ".", ":!*.md", ":!*.test.*"];
  const { stdout } = await promisify(execFile)("git", options, { cwd: inRepository() });
  const citations = stdout.match(/(?<![\w./])docs\/[\w/.-]+\.md(#[\w-]+)?/g) ?? [];
  const broken = [];
  for (const citation of new Set(citations)) {
    const [path, anchor] = citation.split("#");
    const page = await readFile(inRepository(path), "utf8").catch(() => undefined);
    if (page === undefined || (anchor !== undefined && !anchorsIn(page).has(anchor))) broken.push(citation);
  }
  return broken;
}

/** Folders of the repository, and of the companion's sources, that pages name paths in. */
const folders =
  "packages|editors|e2e|scripts|release|torture|bench|docs|core|transport|agents|system|frontends|client|cli";

/** @returns {Promise<string[]>} the paths of sources that a Markdown file names and that are not there, as sentences */
export async function missingSources(file) {
  const markdown = withoutFences(await readFile(inRepository(file), "utf8"));
  const named = [...markdown.matchAll(new RegExp(`\`((?:${folders})/[\\w./-]*)\``, "g"))].map(
    ([, path]) => path,
  );
  const places = (path) => [path, `packages/companion/src/${path}`, `${path}.e2e.test.ts`];
  const missing = [];
  for (const path of new Set(named)) {
    if (!places(path).some((place) => existsSync(inRepository(place))))
      missing.push(`${file}: ${path} is not there`);
  }
  return missing;
}

/** @returns {string[]} the targets of links and pictures, without those that name a scheme such as `https:` */
export function linksIn(markdown) {
  const inline = [...withoutCode(markdown).matchAll(/\]\(<?([^()\s>]+)>?(?: "[^"]*")?\)/g)];
  return inline.map(([, target]) => target).filter((target) => !/^[a-z][a-z+.-]*:/i.test(target));
}

/** @returns {Set<string>} what may follow the `#`: headings, as GitHub derives anchors from them, and `<a id>` */
export function anchorsIn(markdown) {
  const anchors = new Set();
  for (const [, title] of withoutFences(markdown).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const slug = slugOf(title.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  for (const [, id] of markdown.matchAll(/<a id="([^"]+)">/g)) anchors.add(id);
  return anchors;
}

/** @returns {string} the anchor of a heading's text, as GitHub derives it */
export function slugOf(text) {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

const withoutFences = (markdown) => markdown.replace(/^( *)(```+|~~~+)[^\n]*\n.*?^\1\2 *$/gms, "");

const withoutCode = (markdown) => withoutFences(markdown).replace(/(`+)(?!`).*?[^`]\1(?!`)/g, "");
