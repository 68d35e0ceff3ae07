import { dirname, relative, resolve } from "node:path";

/** Shows indented code like fenced code. @param {import("markdown-it")} markdown */
export function fenceCode(markdown) {
  markdown.core.ruler.push("fence-code", ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== "code_block") continue;
      token.type = "fence";
      token.info = "sh";
      token.markup = "```";
    }
  });
}

/**
 * Lets the links of pages that lead out of docs/ open the file in its repository; without one, only their text is shown.
 * @param {import("markdown-it")} markdown
 * @param {{ docs: string, repository: string | undefined }} where the folder docs/, and the repository's home page
 */
export function linksToSources(markdown, { docs, repository }) {
  markdown.core.ruler.push("links-to-sources", ({ tokens, env }) => {
    for (const { children } of tokens) {
      if (children) leadOut(children, { page: env.realPath ?? env.path, docs, repository });
    }
  });
}

function leadOut(tokens, { page, docs, repository }) {
  /** Of the link that is being read: whether it stays a link. */
  let isKept = true;
  for (const token of tokens) {
    if (token.type === "link_open") {
      const href = token.attrGet("href");
      const path = sourceOf(href, page, docs);
      isKept = path === undefined || repository !== undefined;
      if (path !== undefined && repository !== undefined)
        token.attrSet("href", `${repository}/blob/main/${path}`);
    }
    if (!isKept && (token.type === "link_open" || token.type === "link_close")) {
      token.type = token.type === "link_open" ? "em_open" : "em_close";
      token.tag = "span";
      token.attrs = null;
    }
  }
}

/** @returns {string | undefined} the path in the repository to which a page's link leads, if that is out of docs/ */
export function sourceOf(href, page, docs) {
  if (/^([a-z][a-z+.-]*:|#|\/)/i.test(href)) return undefined;
  const path = relative(docs, resolve(dirname(page), decodeURI(href)));
  return path.startsWith("../") ? path.slice("../".length) : undefined;
}
