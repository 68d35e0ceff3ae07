import type { IdeInfo } from "./contract/discovery.ts";

/** An IDE that was recognised, and by what. */
export interface DetectedIde {
  readonly ide: IdeInfo;
  /** For people: `TERM_PROGRAM=vscode`. */
  readonly sign: string;
}

/** A fork of VS Code that calls itself `vscode` in its terminals. */
export const vscodeFork: IdeInfo = { name: "vscodefork", displayName: "IDE" };

/** What stands for an IDE's name and nothing else. */
export const toIdeInfo = ({ name, displayName }: IdeInfo): IdeInfo => ({ name, displayName });
