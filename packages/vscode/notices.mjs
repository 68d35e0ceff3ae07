import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { buildExtension } from "./build.mjs";

const here = import.meta.dirname;

const head = `# Third-party notices

The extension contains parts of these packages.
`;

/** Writes down whose code the bundle contains, and under which licenses; as found in the bundle itself. */
export async function documentNotices() {
  const folders = packageFolders(await buildExtension());
  const notices = await Promise.all(folders.map(toNotice));
  await writeFile(join(here, "THIRD-PARTY-NOTICES.md"), [head, ...notices].join("\n"));
}

/**
 * @param {readonly import("esbuild").Metafile[]} metafiles
 * @returns {string[]} absolute paths of the packages of which something is left in the bundle, by name
 */
function packageFolders(metafiles) {
  const folders = new Set();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
        if (folder !== undefined && bytesInOutput > 0) folders.add(join(here, folder));
      }
    }
  }
  const nameOf = (folder) => folder.slice(folder.lastIndexOf(`node_modules${sep}`));
  return [...folders].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

/** @throws {Error} when the package comes without the text of its license */
async function toNotice(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} ${version} is bundled, and has no license file`);
  const text = (await readFile(join(folder, file), "utf8")).replaceAll("\r\n", "\n").trim();
  return `## ${name} ${version}\n\nLicense: ${license}\n\n\`\`\`text\n${text}\n\`\`\`\n`;
}
