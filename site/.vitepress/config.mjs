import { readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { homePageOf } from "../../release/home-page.mjs";
import { slugOf } from "../../release/links.mjs";
import { home } from "../home.mjs";
import { languages } from "../languages.mjs";
import { fenceCode, linksToSources } from "../markdown.mjs";
import { sidebarOf } from "../sidebar.mjs";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));
/** As in `someone/ide-companion`; unset, the links to sources are left out. */
const { REPOSITORY, BASE } = process.env;
const repository = REPOSITORY === undefined ? undefined : homePageOf(REPOSITORY);
const icon = readFileSync(new URL("../../packages/review-ui/src/icon.svg", import.meta.url));

export default defineConfig({
  title: "ide-companion",
  description: "The editor's half of every agent CLI, in every editor",
  srcDir: docs,
  cacheDir: fileURLToPath(new URL("../../.cache/site", import.meta.url)),
  // The path below which the site is served, such as /ide-companion/.
  base: BASE ?? "/",
  head: [["link", { rel: "icon", href: `data:image/svg+xml;base64,${icon.toString("base64")}` }]],
  rewrites: (page) => page.replace(/README\.md$/, "index.md"),
  markdown: {
    languageAlias: { gitconfig: "ini", kak: "ruby" },
    anchor: { slugify: slugOf },
    config(markdown) {
      fenceCode(markdown);
      linksToSources(markdown, { docs, repository });
    },
  },
  themeConfig: {
    search: { provider: "local", options: { locales: searchTexts() } },
    outline: [2, 3],
    ...(repository === undefined ? {} : { socialLinks: [{ icon: "github", link: repository }] }),
  },
  locales: Object.fromEntries(
    languages.map(({ folder, label, lang, texts }) => [
      folder ?? "root",
      {
        label,
        lang,
        themeConfig: {
          sidebar: sidebarOf(docs, { folder, texts }),
          nav: [
            { text: texts.start, link: `${prefix(folder)}start/first-review` },
            { text: texts.editors, link: `${prefix(folder)}editors/` },
            { text: texts.matrix, link: "/editors/works-with.gen" },
            { text: texts.reference, link: "/reference/commands" },
          ],
          ...texts.theme,
        },
      },
    ]),
  ),
  // Those of pages are found by Vite; the home page names its pictures as addresses.
  async buildEnd({ outDir }) {
    for (const path of Object.values(home.hero.image).filter((value) => value.startsWith("/"))) {
      await cp(`${docs}${path}`, `${outDir}${path}`);
    }
  },
  transformPageData(page) {
    if (page.relativePath === "index.md") page.frontmatter = home;
  },
});

function prefix(folder) {
  return folder === undefined ? "/" : `/${folder}/`;
}

function searchTexts() {
  return Object.fromEntries(
    languages.flatMap(({ folder, texts }) =>
      texts.search ? [[folder, { translations: texts.search }]] : [],
    ),
  );
}
