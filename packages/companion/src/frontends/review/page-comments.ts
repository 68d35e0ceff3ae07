import { z } from "zod";
import type { RecoveredComments } from "../../core/comments/comment.ts";

/** What the user writes about lines of a proposal. */
export const PageComment = z.object({
  id: z.string(),
  side: z.enum(["proposed", "original"]),
  startLine: z.int().min(1),
  endLine: z.int().min(1),
  quote: z.string(),
  text: z.string(),
});

/** Comments that no agent has received. */
export interface WaitingComments extends RecoveredComments {
  readonly label: string;
  /** For the agent's prompt. */
  readonly message: string;
}
