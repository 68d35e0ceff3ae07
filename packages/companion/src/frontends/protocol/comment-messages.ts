import { z } from "zod";
import { shownFacts } from "./original.ts";

/** Lines of one side of a proposal. */
const place = {
  side: z
    .enum(["proposed", "original"])
    .describe("Which text the lines are of: the proposed one as it stands, or the one to compare it with."),
  startLine: z.int().min(0).describe("1-based; 0 for a comment on all of the change."),
  endLine: z.int().min(0).describe("1-based; the last line of the comment, included; 0 in the same case."),
};

/** A comment of the user on lines of a proposal, or on all of it. */
export const ShownComment = z.object({
  id: z.string().describe("Names the comment; unique in its proposal."),
  ...place,
  text: z.string(),
});

/** Of a proposal: what the user has written about it. */
export const shownComments = {
  comments: z
    .array(
      ShownComment.extend({
        across: z
          .int()
          .min(0)
          .describe("The line of the other text that is next to the last one; 0 above the first one."),
      }),
    )
    .describe("All comments of the user, where their lines are now, in any order."),
};

/** What a plugin shows of the text under review, and of its comments. */
export const shownChange = { ...shownFacts, ...shownComments };

/** Of a decision: what the agent is to hear with it. */
export const sentComments = {
  withComments: z
    .boolean()
    .exactOptional()
    .describe("The agent is to hear the comments with it. Without it, they wait for the user."),
};

/**
 * What a plugin and the frontend say to each other about comments.
 * @see docs/reference/protocol.md
 */
export const commentMessages = {
  comment: {
    method: "companion/comment",
    params: z.object({
      id: z.string().describe("As `companion/openDiff` gave it."),
      comment: z.string().exactOptional().describe("The id of the one to change; absent for a new one."),
      ...place,
      text: z.string().describe("In the user's words; empty to delete it."),
    }),
    answer: z.object(shownComments).nullable().describe("Null when it waits no more."),
  },
  comments: {
    method: "companion/comments",
    params: z.object({ id: z.string().describe("As `companion/openDiff` gave it."), ...shownComments }),
  },
} as const;

export type WrittenComment = z.infer<typeof commentMessages.comment.params>;
