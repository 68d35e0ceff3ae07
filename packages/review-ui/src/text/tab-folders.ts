type Split = (path: string) => readonly string[];

/**
 * What tells files of one name apart: the end of each one's folder, as short as it can be.
 * @param paths absolute, each once
 * @param split takes a path apart into its names
 * @returns by path; those whose name is the only one of its kind are not in it
 */
export function tabFolders(paths: readonly string[], split: Split): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  for (const path of paths) {
    const name = split(path).at(-1);
    const others = paths.filter((other) => other !== path && split(other).at(-1) === name);
    if (others.length > 0) folders.set(path, shortestFolder(path, others, split));
  }
  return folders;
}

function shortestFolder(path: string, others: readonly string[], split: Split): string {
  const folder = split(path).slice(0, -1);
  const otherFolders = others.map((other) => split(other).slice(0, -1));
  for (let count = 1; count < folder.length; count += 1) {
    const end = folder.slice(-count).join("/");
    if (!otherFolders.some((other) => other.slice(-count).join("/") === end)) return end;
  }
  return folder.join("/");
}
