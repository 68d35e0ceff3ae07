import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { inRepository } from "../scripts/repository.mjs";

/**
 * One package that is published, and the list of what it holds.
 * @typedef {object} Published
 * @property {string} name
 * @property {string} folder relative to the repository
 * @property {readonly string[]} files that it has besides the library
 * @property {readonly RegExp[]} built and copied files, whose names may hold a digest; at least one of each
 */

/** @type {readonly Published[]} */
export const published = [
  {
    name: "ide-companion",
    folder: "packages/companion",
    files: [
      "LICENSE",
      "README.md",
      "THIRD-PARTY-NOTICES.md",
      "package.json",
      "protocol.gen.json",
      "dist/ide-companion.js",
      "dist/ide-companion-main.js",
      "dist/ide-companion-rarely.js",
      "dist/ide-companion-snapshots.js",
      "dist/chunks/start.js",
      "dist/review/index.html",
    ],
    built: [
      /^dist\/editors\/(neovim|vim)\/(autoload|doc|lua|plugin)\/([\w-]+\/)*[\w-]+(\.(lua|vim|txt))?$/,
      /^dist\/editors\/emacs\/ide-companion(-[a-z]+)*\.el$/,
      /^dist\/editors\/kakoune\/ide-companion\.kak$/,
      // What `npm run package` puts there, as it does before a release.
      /^dist\/editors\/vscode\/ide-companion-\d+\.\d+\.\d+\.vsix$/,
      /^dist\/chunks\/[\w.-]+-[A-Z0-9]{8}\.js$/,
      /^dist\/review\/assets\/main-[A-Z0-9]{8}\.js$/,
      /^dist\/review\/assets\/main-[A-Z0-9]{8}\.css$/,
      /^dist\/review\/assets\/icon-[A-Z0-9]{8}\.svg$/,
      // Languages, loaded when a file of theirs is opened.
      /^dist\/review\/assets\/[\w.-]+-[A-Z0-9]{8}\.js$/,
    ],
  },
  {
    name: "ide-companion-conformance",
    folder: "packages/conformance",
    files: ["LICENSE", "README.md", "package.json"],
    built: [],
  },
];

/** What the VS Code extension holds, as a list of the same kind: it is no library. */
export const extension = {
  files: [
    "[Content_Types].xml",
    "extension.vsixmanifest",
    ...["LICENSE.txt", "THIRD-PARTY-NOTICES.md", "changelog.md", "package.json", "readme.md"].map(
      (name) => `extension/${name}`,
    ),
    "extension/dist/chunks/start.mjs",
    "extension/dist/main.cjs",
    "extension/dist/window.mjs",
    "extension/media/icon.png",
    "extension/media/view.svg",
  ],
  built: [
    /^extension\/dist\/chunks\/[\w.-]+-[A-Z0-9]{8}\.mjs$/,
    /^extension\/media\/languages\/\w+(\.tmLanguage)?\.json$/,
    /^extension\/media\/walkthrough\/\w+\.svg$/,
    /^extension\/l10n\/bundle\.l10n\.[a-z-]+\.json$/,
    /^extension\/package\.nls(\.[a-z-]+)?\.json$/,
  ],
};

/**
 * What is in a package and not on its list, and what is on the list and not in the package.
 * @param {Pick<Published, "files" | "built"> & Partial<Published>} entry
 * @param {readonly string[]} files relative to the package
 * @returns {Promise<{ unlisted: string[], missing: string[] }>}
 */
export async function compareWithList({ folder, files: listed, built }, files) {
  const expected = new Set([...listed, ...(folder === undefined ? [] : await libraryFiles(folder))]);
  const isBuilt = (file) => built.some((pattern) => pattern.test(file));
  return {
    unlisted: files.filter((file) => !expected.has(file) && !isBuilt(file)),
    missing: [
      ...[...expected].filter((file) => !files.includes(file)),
      ...built.filter((pattern) => !files.some((file) => pattern.test(file))).map(String),
    ],
  };
}

/** The compiled library: two files for each source that is not there for tests. */
async function libraryFiles(folder) {
  const sources = await readdir(inRepository(folder, "src"), { recursive: true });
  return sources
    .map((path) => join("dist", path).replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !/\.test\.ts$|-fixture\.ts$|\/testing\//.test(path))
    .flatMap((path) => [path.replace(/\.ts$/, ".js"), path.replace(/\.ts$/, ".d.ts")]);
}
