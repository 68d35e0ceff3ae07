import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";

/**
 * What esbuild has made, and the folder by which its metafile names everything.
 * @typedef {{ folder: string, metafile: import("esbuild").Metafile }} Bundle
 */

/**
 * Writes down whose code bundles contain, and under which licenses; as found in the bundles themselves.
 * @param {string} file absolute path, Markdown
 * @param {string} whole what contains them, the begin of a sentence: `The extension`
 * @param {readonly Bundle[]} bundles
 */
export async function writeNotices(file, whole, bundles) {
  const packages = await Promise.all(packageFolders(bundles).map(readPackage));
  // Many come from one maker, under one text.
  const texts = new Set(packages.map(({ text }) => text));
  const notices = [...texts].map((text) => {
    const those = packages.filter((one) => one.text === text);
    const list = those.map(({ name, version, license }) => `- ${name} ${version}, ${license}`).join("\n");
    return `${list}\n\n\`\`\`text\n${text}\n\`\`\`\n`;
  });
  const head = `# Third-party notices\n\n${whole} contains parts of these packages, under these licenses.\n`;
  await writeFile(file, [head, ...notices].join("\n"));
}

/**
 * @param {readonly Bundle[]} bundles
 * @returns {string[]} absolute paths of the packages of which something is left in a bundle, by name
 */
function packageFolders(bundles) {
  const folders = new Set();
  for (const { folder, metafile } of bundles) {
    for (const { inputs } of Object.values(metafile.outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const [found] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
        if (found !== undefined && bytesInOutput > 0) folders.add(join(folder, found));
      }
    }
  }
  const nameOf = (folder) => folder.slice(folder.lastIndexOf(`node_modules${sep}`));
  return [...folders].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

/** @throws {Error} when the package comes without the text of its license */
async function readPackage(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} ${version} is bundled, and has no license file`);
  const text = (await readFile(join(folder, file), "utf8")).replaceAll("\r\n", "\n").trim();
  return { name, version, license, text };
}
