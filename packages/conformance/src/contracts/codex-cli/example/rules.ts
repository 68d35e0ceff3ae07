import type { Place } from "../../../example/editor.ts";

/** A file that the example's editor shows. */
export interface Shown {
  readonly label: string;
  /** In the folder. */
  readonly path: string;
  readonly fsPath: string;
  readonly text: string;
  readonly start: Place;
  readonly end: Place;
}

/** Everything in which companions may differ. A broken companion has one of these rules changed. */
export const goodRules = {
  folderMode: 0o700,
  socketMode: 0o600,
  /** The name of the socket. */
  socketName: "ipc.sock",
  /** Whether it listens where older versions ask. */
  servesFormer: true,
  /** Whether it removes what a dead program has left. */
  sweepsStale: true,
  /** Whether it takes the place of one that lives. */
  steals: false,
  /** Whether it removes its socket at its end. */
  removes: true,

  /** Whether a message may come in pieces. */
  readsPieces: true,
  /** Whether what is no message ends all that there is. */
  diesOfGarbage: false,

  activeFile: ({ label, path, fsPath, text, start, end }: Shown): object => ({
    label,
    path,
    fsPath,
    selection: { start, end },
    activeSelectionContent: text,
    selections: text === "" ? [] : [{ start, end }],
  }),
  context: (activeFile: object | null, openTabs: readonly object[]): object => ({ activeFile, openTabs }),
  concerns: (folder: string, root: string): boolean => folder === root || folder.startsWith(`${root}/`),
  /** Milliseconds. */
  delay: 0,
  answersInitialize: true,
  speaks: (version: number): boolean => version === 0,

  /** Whether, as a client, it answers the questions of the router. */
  joins: true,
  /** Whether, as the router, it asks its clients. */
  routes: true,
  /** Whether it answers what is none of its business. */
  answersForeign: false,
  passesBroadcasts: true,
  /** Whether it becomes the router when that is gone. */
  takesOver: true,
};

export type CodexRules = typeof goodRules;
