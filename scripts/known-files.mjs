import { statSync } from "node:fs";
import { attempt } from "./command.mjs";
import { inRepository, repository } from "./repository.mjs";

/**
 * @param {...string} patterns as git takes them; all files without one
 * @returns {Promise<string[]>} the files here that git knows or would take, relative to the repository; none in an
 *   unpacked archive, or without git
 */
export async function knownFiles(...patterns) {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...patterns];
  const { code, output } = await attempt("git", args, { cwd: repository, quiet: true }).catch(() => ({}));
  if (code !== 0) return [];
  // What is deleted and not committed yet is not there.
  const isThere = (file) => statSync(inRepository(file), { throwIfNoEntry: false })?.isFile() ?? false;
  return output.split("\0").filter((file) => file !== "" && isThere(file));
}
