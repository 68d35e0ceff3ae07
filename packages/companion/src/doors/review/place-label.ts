import nodePath from "node:path";
import { confine } from "./confinement.ts";

/** How a file is named to people, and whether it lies outside of the folders they opened. */
export interface PlaceLabel {
  /** Relative to its root, with the root's name before it when there are several; else the whole path. */
  readonly label: string;
  readonly outsideRoots: boolean;
}

export async function placeLabel(path: string, roots: readonly string[]): Promise<PlaceLabel> {
  const place = await confine(path, roots);
  if (!place?.relative) return { label: path, outsideRoots: place === undefined };
  return { label: relativeLabel(place.root, place.relative, roots), outsideRoots: false };
}

export function relativeLabel(root: string, relative: string, roots: readonly string[]): string {
  return roots.length > 1 ? nodePath.join(nodePath.basename(root), relative) : relative;
}
