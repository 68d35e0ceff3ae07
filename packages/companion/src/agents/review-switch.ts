import { reviewModeMeanings } from "../core/sentences.ts";
import { type ReviewMode, ReviewModes, reviewModes } from "../core/written/review-mode.ts";
import { watchOwnFolder } from "../system/disk.ts";
import type { Host } from "../system/host.ts";
import { hookedAgents } from "./agents.ts";

/** A review mode that counts in the open folders. */
export interface CountingMode {
  readonly mode: ReviewMode;
  /** For which it counts, by their names for people. */
  readonly agents: readonly string[];
}

/** When the user looks at what agents write in the open folders: what every frontend shows, and sets for all agents. */
export class ReviewSwitch {
  readonly #modes: ReviewModes;
  readonly #roots: () => readonly string[];

  constructor(host: Host, roots: () => readonly string[]) {
    this.#modes = new ReviewModes(host);
    this.#roots = roots;
  }

  /** Several where agents or folders differ; none where no folder is open. */
  get counting(): readonly CountingMode[] {
    const folders = this.#roots().map((root) => this.#modes.in(root));
    const found = hookedAgents.flatMap(({ name, displayName }) =>
      folders.map((folder) => ({ displayName, mode: folder.find(name).mode })),
    );
    return reviewModes.flatMap((mode) => {
      const names = found.filter((one) => one.mode === mode).map(({ displayName }) => displayName);
      return names.length > 0 ? [{ mode, agents: [...new Set(names)] }] : [];
    });
  }

  /** @throws Error with a sentence */
  set(mode: ReviewMode): void {
    if (this.#roots().length === 0) throw new Error("No folder is open.");
    for (const root of this.#roots()) this.#modes.set(root, mode);
  }

  /** Calls back whenever a mode may be another one, also by others. @returns stops that */
  onChange(listener: () => void): () => void {
    const watcher = watchOwnFolder(this.#modes.folder, listener);
    return () => watcher?.close();
  }
}

/** What counts, for people. */
export function describeReview(counting: readonly CountingMode[]): string {
  const [one, ...others] = counting;
  if (one === undefined) return "No folder is open.";
  if (others.length === 0) return `${one.mode}: each agent of this folder ${reviewModeMeanings[one.mode]}.`;
  return `${counting.map(({ mode, agents: names }) => `${mode}: ${names.join(", ")}`).join(". ")}.`;
}
