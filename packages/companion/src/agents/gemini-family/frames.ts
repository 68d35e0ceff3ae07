import type { Outcome } from "../../core/changes/review.ts";
import type { Context } from "../../core/context.ts";
import type { Proposal } from "../../core/editor.ts";
import { hashOf } from "../../files/text-hash.ts";
import type { DiffComment, IdeContext } from "./contract/context.ts";

/** A JSON-RPC notification without its envelope. */
export interface News {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** A decision, as this family's agents hear it. */
export type Decided =
  | {
      readonly kind: "accepted";
      readonly filePath: string;
      readonly content: string;
      readonly before?: string;
      readonly comments?: readonly DiffComment[];
    }
  | { readonly kind: "rejected"; readonly filePath: string; readonly comments?: readonly DiffComment[] };

/**
 * A decision for a session's agent.
 * @returns undefined where the agent is to hear nothing
 */
export function toDecided(
  outcome: Outcome,
  { filePath, base }: Pick<Proposal, "filePath" | "base">,
  isAnnounced: boolean,
  { outwaitsCompanion }: { readonly outwaitsCompanion: boolean },
): Decided | undefined {
  if (outcome.kind === "closed") {
    const waitsOn = outcome.reason === "shutdown" && outwaitsCompanion;
    return waitsOn ? { kind: "rejected", filePath } : undefined;
  }
  // An agent CLI does not know of more than its contract has.
  const sent = isAnnounced ? outcome.comments : undefined;
  const comments = sent && { comments: sent.map(({ id: _, ...comment }) => comment) };
  if (outcome.kind === "rejected") return { kind: "rejected", filePath, ...comments };
  const before = isAnnounced && base.kind === "text" && base.exact && { before: hashOf(base.text) };
  return { kind: "accepted", filePath, content: outcome.content, ...before, ...comments };
}

export const contextNews = (context: Context): News => ({
  method: "ide/contextUpdate",
  params: { ...toIdeContext(context) },
});

export const outcomeNews = ({ kind, ...params }: Decided): News => ({
  method: kind === "accepted" ? "ide/diffAccepted" : "ide/diffRejected",
  params,
});

/**
 * One JSON-RPC notification as a server-sent event.
 * @param id lets a client say on its next stream what it has received (`Last-Event-ID`).
 */
export function toFrame(news: News, id?: string | number): Buffer {
  const head = id === undefined ? "" : `id: ${id}\n`;
  return Buffer.from(`${head}data: ${JSON.stringify({ jsonrpc: "2.0", ...news })}\n\n`);
}

/**
 * The body of `ide/contextUpdate`.
 * @see docs/reference/contract.md#3-context
 */
export function toIdeContext({ files, isTrusted }: Context): IdeContext {
  const openFiles = files.map(({ path, focusedAt, isActive, cursor, selectedText }) => ({
    path,
    timestamp: focusedAt,
    ...(isActive && { isActive }),
    ...(cursor && { cursor }),
    ...(selectedText !== undefined && { selectedText }),
  }));
  return { workspaceState: { openFiles, ...(isTrusted !== undefined && { isTrusted }) } };
}
