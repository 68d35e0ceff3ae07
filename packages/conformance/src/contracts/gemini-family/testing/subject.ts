import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemFoldersIn } from "../../../target/folders.ts";
import { performIn, quickLimits } from "../../../testing/contract-tests.ts";
import { startExample } from "../example/companion.ts";
import type { Rules } from "../example/rules.ts";
import type { FamilySubject } from "../run.ts";
import { findCompanions } from "../target/target.ts";

/** An example in this process, as a subject whose editor can be driven. */
export async function exampleSubject(
  folder: string,
  rules: Partial<Rules>,
  onEnd: (cleanup: () => void) => void,
): Promise<FamilySubject> {
  const systemFolders = systemFoldersIn(folder);
  const work = join(folder, "work");
  for (const made of [systemFolders.tmp, work]) mkdirSync(made);
  const example = await startExample({ systemFolders, folders: [work], rules: { keepAlive: 100, ...rules } });
  onEnd(() => example.close());
  const [target] = await findCompanions(systemFolders);
  if (!target) throw new Error("the example cannot be found");
  return { target, limits: quickLimits, perform: performIn(example.editor), scratch: work };
}
