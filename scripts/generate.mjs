import "./node-version.mjs";
import { pathToFileURL } from "node:url";
import { documentWorksWith } from "../site/works-with.mjs";
import { buildTypes } from "./build.mjs";
import { inRepository, isMain } from "./repository.mjs";
import { setUpToRun } from "./setup.mjs";

/** Writes every committed file, and table, that is generated. Needs the built library. */
export async function generate() {
  const of = (...names) => import(pathToFileURL(inRepository("packages", ...names)).href);
  const companion = await of("companion", "generate.mjs");
  await companion.generateToolList();
  await companion.documentMessages();
  await companion.publishSchema();
  await (await of("vscode", "generate-manifest.mjs")).generateManifest();
  await (await of("conformance", "document-requirements.mjs")).documentRequirements();
  await documentWorksWith();
  for (const name of ["companion", "vscode"]) await (await of(name, "notices.mjs")).documentNotices();
}

if (isMain(import.meta)) {
  await setUpToRun();
  await buildTypes();
  await generate();
}
