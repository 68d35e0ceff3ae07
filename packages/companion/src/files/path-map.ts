/** One folder that lies here and there. */
export interface Mapping {
  /** Absolute, as this machine writes it. */
  readonly here: string;
  /** Absolute, with slashes. */
  readonly there: string;
}

/** Names of files on the other machine, and what they are called on this one; undefined for what lies in no mapped folder. */
export type PathMap = ReturnType<typeof createPathMap>;

/**
 * @param separator of this machine's paths
 * @param said what was given to `toHere` before, by its name here: agents know their files by it, whatever else changes
 */
export function createPathMap(
  mappings: readonly Mapping[],
  separator: string,
  said = new Map<string, string>(),
) {
  // A folder within another one has its own place.
  const inner = <Side extends keyof Mapping>(side: Side) =>
    mappings.toSorted((one, other) => other[side].length - one[side].length);
  const [byThere, byHere] = [inner("there"), inner("here")];
  return {
    toHere(path: string) {
      for (const { here, there } of byThere) {
        const rest = restOf(path, there, "/");
        if (rest === undefined || leadsOut(rest, "/")) continue;
        const translated = here + rest.replaceAll("/", separator);
        said.set(translated, path);
        return translated;
      }
      return undefined;
    },
    /** Exactly what was given to `toHere` before, if it was: an agent knows its files by what it has said. */
    toThere(path: string) {
      const known = said.get(path);
      if (known !== undefined) return known;
      for (const { here, there } of byHere) {
        const rest = restOf(path, here, separator);
        if (rest !== undefined) return there + rest.replaceAll(separator, "/");
      }
      return undefined;
    },
  };
}

/** What follows the folder in a path, its separator included; undefined when the path is not in it. */
function restOf(path: string, folder: string, separator: string): string | undefined {
  const bare = folder.endsWith(separator) ? folder.slice(0, -1) : folder;
  if (path === bare) return "";
  return path.startsWith(bare + separator) ? path.slice(bare.length) : undefined;
}

/** A path that begins in the folder and climbs out of it is none in it. */
const leadsOut = (rest: string, separator: string): boolean => rest.split(separator).includes("..");
