import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { inRepository, isMain } from "../scripts/repository.mjs";
import { installNpmPackages } from "../scripts/set-up/npm-packages.mjs";
import { withTemporaryFolder } from "../scripts/temporary.mjs";

/** Where the reports are that the last release, or the last change on purpose, has left. */
export const reports = inRepository("release", "api");

/**
 * What can be imported from the library, with its types: one report per way in.
 * @returns {Promise<{ name: string, text: string }[]>} `name` is the report's file
 * @throws Error when the types are not built
 */
export async function readApi() {
  await installNpmPackages(inRepository("release"), { options: ["--ignore-scripts"], quiet: true });
  const path = inRepository("packages", "companion", "package.json");
  const { name, exports } = JSON.parse(await readFile(path, "utf8"));
  const entries = Object.entries(exports)
    .filter(([, { types }]) => types !== undefined)
    .map(([way, { types }]) => ({
      types: join(path, "..", types),
      report: `${[name, ...(way === "." ? [] : [basename(way)])].join("-")}.api.md`,
    }));
  return withTemporaryFolder(async (into) => {
    await extract({ path, entries, into });
    const read = async ({ report }) => ({ name: report, text: await readFile(join(into, report), "utf8") });
    return Promise.all(entries.map(read));
  });
}

const compilerOptions = {
  ...{ module: "nodenext", target: "es2023", skipLibCheck: true, noEmit: true },
  ...{ types: ["node"], typeRoots: [inRepository("node_modules", "@types")] },
};

/** Reads the types of a package once, for all its ways in. */
async function extract({ path, entries, into }) {
  const { CompilerState, Extractor, ExtractorConfig } = await import("@microsoft/api-extractor");
  const files = entries.map(({ types }) => types);
  const configs = entries.map(({ types, report }) =>
    ExtractorConfig.prepare({
      configObjectFullPath: undefined,
      packageJsonFullPath: path,
      configObject: {
        projectFolder: join(path, ".."),
        mainEntryPointFilePath: types,
        newlineKind: "lf",
        compiler: {
          // Without its files it would read all that lies in the folder.
          overrideTsconfig: { compilerOptions, files },
        },
        apiReport: {
          enabled: true,
          reportFileName: report,
          reportFolder: into,
          reportTempFolder: into,
        },
        docModel: { enabled: false },
        dtsRollup: { enabled: false },
        tsdocMetadata: { enabled: false },
        messages: {
          extractorMessageReporting: {
            default: { logLevel: "none" },
            // A type that users see and cannot name.
            "ae-forgotten-export": { logLevel: "none", addToApiReportFile: true },
          },
        },
      },
    }),
  );
  const compilerState = CompilerState.create(configs[0], { additionalEntryPoints: files });
  for (const config of configs) Extractor.invoke(config, { localBuild: true, compilerState });
}

if (isMain(import.meta)) {
  await mkdir(reports, { recursive: true });
  for (const { name, text } of await readApi()) {
    await writeFile(join(reports, name), text);
    console.log(join("release", "api", name));
  }
}
