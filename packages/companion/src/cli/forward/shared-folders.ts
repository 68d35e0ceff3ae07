import path from "node:path";
import type { LiveFinding } from "../../agents/agent.ts";
import { createPathMap, type Mapping } from "../../files/path-map.ts";
import { UsageError } from "../invocation.ts";
import type { FarHost } from "./ssh-session.ts";

/** Where the companion's folders lie on the other machine, and how files are called there. */
export type SharedFolders = ReturnType<typeof createSharedFolders>;

export function createSharedFolders() {
  const said = new Map<string, string>();
  let map = createPathMap([], path.sep, said);
  return {
    map: { toHere: (file: string) => map.toHere(file), toThere: (file: string) => map.toThere(file) },
    /** Shares these from now on. */
    share(mappings: readonly Mapping[]) {
      map = createPathMap(mappings, path.sep, said);
    },
  };
}

/** A folder that the user has named, and the one here that it stands for. */
export interface NamedFolder {
  /** Absolute. */
  readonly here: string;
  /** As typed. */
  readonly there: string;
}

/**
 * What the user's word stands for.
 * @throws UsageError when there is not one folder alone for it
 */
export function toNamedFolder({ roots }: LiveFinding, there: string | undefined): NamedFolder | undefined {
  const [here] = roots;
  if (here === undefined) throw new Error("the companion has no folder open: there is nothing to share");
  if (there === undefined) return undefined;
  if (roots.length === 1) return { here, there };
  throw new UsageError(`the companion serves ${roots.length} folders, which one name cannot stand for`);
}

/**
 * Where folders are expected: by name, or where they lie within the user's home, or else at the same place.
 * @param home the user's, on this machine
 */
export function toMappings(
  roots: readonly string[],
  named: NamedFolder | undefined,
  home: string,
  far: Pick<FarHost, "home">,
): readonly Mapping[] {
  return roots.map((here) => {
    if (here === named?.here) {
      return { here, there: path.posix.resolve(far.home, named.there.replace(/^~\//, "")) };
    }
    const relative = path.relative(home, here);
    const isAtHome = relative !== "" && !relative.startsWith("..") && !path.isAbsolute(relative);
    return { here, there: isAtHome ? path.posix.join(far.home, ...relative.split(path.sep)) : here };
  });
}
