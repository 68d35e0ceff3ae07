import type { History } from "../../core/history/history.ts";
import { finalTextOf, type PastDecision } from "../../core/history/past-decision.ts";
import { type Rewrite, reapply, undo, writeSeen } from "../../core/history/rewrite.ts";
import { type FileText, readFileText } from "../../files/file-text.ts";
import { pathLabel } from "../../files/workspace-path.ts";
import type { History as PageHistory, PastTexts } from "./history.ts";
import type { HistoryEntry } from "./protocol.ts";
import { readAsSeen } from "./seen-file.ts";

/** Decisions of earlier runs, and of other companions, about files in the open folders; newest first. */
export async function earlierEntries(
  history: Pick<History, "list">,
  roots: readonly string[],
): Promise<readonly HistoryEntry[]> {
  const entries = history.list().map(async ({ bytes: _, ...decision }) => {
    const { label, outsideRoots } = await pathLabel(decision.filePath, roots);
    return outsideRoots ? [] : [{ ...decision, label }];
  });
  return (await Promise.all(entries)).flat();
}

/** @returns undefined where the history does not hold them */
export function earlierTexts(decision: PastDecision | undefined): PastTexts | undefined {
  if (decision?.texts?.before === undefined) return undefined;
  const { filePath, outcome, texts, comments } = decision;
  const { before, proposed } = decision.texts;
  const final = finalTextOf(outcome, texts);
  return { filePath, outcome, before: toFileText(before), proposed, final, ...(comments && { comments }) };
}

function toFileText(text: string | null): FileText {
  if (text === null) return { kind: "missing" };
  return { kind: "text", text, exact: true, size: Buffer.byteLength(text), stamp: "" };
}

/** What a past change can be made to do to its file. */
export type Rewriting = "undo" | "reapply";

const rewritings = { undo, reapply } as const;

/** What it would make of the file as it is now; undefined for changes that cannot be asked for it. */
export function planRewrite(kind: Rewriting, past: PastTexts, onDisk: FileText): Rewrite | undefined {
  const { outcome, before, proposed, final } = past;
  const isAccepted = outcome === "accepted";
  if (!isAccepted && kind === "undo") return undefined;
  const isText = onDisk.kind === "text" && onDisk.exact;
  if (!isText && onDisk.kind !== "missing")
    return { kind: "impossible", reason: "The file on disk is not a text." };
  const former = before.kind === "missing" ? null : before.kind === "text" ? before.text : undefined;
  const texts = {
    proposed,
    ...(isAccepted ? { accepted: final } : { edited: final }),
    ...(former !== undefined && { before: former }),
  };
  return rewritings[kind]({ outcome, texts }, isText ? onDisk.text : undefined);
}

/**
 * Writes what the user has seen of a past change.
 * @param stamp of the file as the user has seen it
 * @throws Error with a sentence; then the file is as it was
 */
export async function rewriteFile(
  kind: Rewriting,
  past: PastTexts | undefined,
  stamp: string | undefined,
): Promise<void> {
  if (!past) throw new Error("The texts of this change are not kept any more.");
  const { onDisk, bytes } = await readAsSeen(past.filePath, stamp);
  const plan = planRewrite(kind, past, onDisk);
  if (plan?.kind !== "change") throw new Error("There is nothing to write.");
  await writeSeen(past.filePath, plan.text, bytes);
}

/**
 * Takes the accepted changes of a turn out of their files as they are now, the last one first.
 * @param onUndone called with the id of each entry that is done
 * @throws Error with a sentence when some could not be undone
 */
export async function undoTurn(
  turn: string,
  { entries, textsOf }: Pick<PageHistory, "entries" | "textsOf">,
  onUndone: (entryId: string) => void,
): Promise<void> {
  let isLeft = false;
  for (const entry of entries) {
    if (entry.turn !== turn || entry.outcome !== "accepted" || entry.later === "undone") continue;
    try {
      const onDisk = await readFileText(entry.filePath);
      await rewriteFile("undo", textsOf(entry.id), onDisk.kind === "text" ? onDisk.stamp : undefined);
      onUndone(entry.id);
    } catch {
      isLeft = true; // its view says why
    }
  }
  if (isLeft) throw new Error("Some changes could not be undone: look at each of them.");
}
