import type { EditorContext, HideReason, Proposal } from "../../packages/companion/src/core/editor.ts";

/** Whether a decision counted, and the code of what its user hears of it. */
export interface Decided {
  readonly taken: boolean;
  readonly code?: string;
}

/** A diff that an editor shows. */
export interface ShownDiff {
  /** Unique within its editor, over all of its companions. */
  readonly id: string;
  /** The agent's name for people, as the editor received it. */
  readonly agent: string;
  readonly filePath: string;
  /** Without the user's edits; another one when the file has changed. */
  proposed: string;
  /** The file as the user sees it next to the change; empty where there is none. */
  base: string;
  /** Its agent takes no edits: what the user types in it is an own version. */
  readonly isReadOnly: boolean;
  /** The current text, with the user's edits. */
  text: string;
}

/** A proposal as its editor begins to show it. @param id see `ShownDiff` @param base see `ShownDiff` */
export function toShownDiff(
  id: string,
  proposal: Pick<Proposal, "agent" | "filePath" | "newContent"> & { readonly readOnlyReason?: unknown },
  base: string,
): ShownDiff {
  const { agent, filePath, newContent, readOnlyReason } = proposal;
  const isReadOnly = readOnlyReason !== undefined;
  return { id, agent, filePath, proposed: newContent, isReadOnly, base, text: newContent };
}

/** What has happened in an editor that its user did not do. */
export type EditorNews =
  | { readonly kind: "shown"; readonly diff: ShownDiff }
  | { readonly kind: "closed"; readonly diff: ShownDiff; readonly reason: HideReason };

/** A user at an editor, which has one companion at a time. */
export interface Driver {
  readonly name: string;
  /** Port of the current companion. */
  readonly port: number;
  /** The discovery files' process; it changes when the companion is another process. */
  readonly serverPid: number;
  readonly diffs: ReadonlyMap<string, ShownDiff>;
  /** Everything since the start; long runs may empty it. */
  readonly news: EditorNews[];
  focus(context: EditorContext): void;
  setRoots(roots: readonly string[]): Promise<void>;
  /** Does nothing when the diff has ended. */
  edit(id: string, text: string): void;
  /** Decides with the current text. */
  decide(id: string, kind: "accepted" | "rejected"): Promise<Decided>;
  /** The editor ends its companion and starts another one. */
  restart(): Promise<void>;
  /** Ends the companion as `kill -9` does, and starts another one; only if it is a separate process. */
  killCompanion?(): Promise<void>;
  /** Ends the editor as `kill -9` does, and starts it again. */
  killEditor?(): Promise<void>;
  /** Idempotent. */
  close(): Promise<void>;
}

/** @throws Error for a diff that is not shown */
export function expectDiff(diffs: ReadonlyMap<string, ShownDiff>, id: string): ShownDiff {
  const diff = diffs.get(id);
  if (!diff) throw new Error(`no diff ${id} is shown`);
  return diff;
}
