import "../scripts/node-version.mjs";
import { inRepository } from "../scripts/repository.mjs";
import { installNpmPackages } from "../scripts/set-up/npm-packages.mjs";

const folder = inRepository("site");
await installNpmPackages(folder);
const { build } = await import("./node_modules/vitepress/dist/node/index.js");
// `npm run site -- FOLDER`
const outDir = process.argv[2] ?? inRepository("dist", "site");
await build(folder, { outDir });
console.log(`The site is in ${outDir}.`);
