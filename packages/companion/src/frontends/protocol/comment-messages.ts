import { z } from "zod";

/** A comment of the user on lines of a proposal, or on all of it. */
const PluginComment = z.object({
  id: z.string().describe("Names the comment; unique in its proposal. You choose it."),
  side: z
    .enum(["proposed", "original"])
    .describe("Which text the lines are of: the proposed one as it stands, or the one to compare it with."),
  startLine: z.int().min(0).describe("1-based; 0 for a comment on all of the change."),
  endLine: z.int().min(0).describe("1-based; the last line of the comment, included; 0 in the same case."),
  quote: z.string().describe("These lines as they stand."),
  text: z.string(),
});

/** Of a decision: what the agent is to hear with it. */
export const sentComments = {
  comments: z
    .array(PluginComment)
    .exactOptional()
    .describe("What the agent is to hear with it. Without it, comments that were saved wait for the user."),
};

/**
 * What a plugin and the frontend say to each other about comments.
 * @see docs/reference/protocol.md
 */
export const commentMessages = {
  comments: {
    method: "companion/comments",
    params: z.object({
      id: z.string().describe("As `companion/openDiff` gave it."),
      comments: z.array(PluginComment).describe("All that there are on this proposal, in any order."),
    }),
  },
  updateComments: {
    method: "companion/updateComments",
    params: z.object({
      id: z.string().describe("As `companion/openDiff` gave it."),
      comments: z
        .array(PluginComment)
        .describe("New ones of another view, and those whose text is another one by now."),
      deleted: z.array(z.string()).describe("Ids of those that were deleted there."),
    }),
  },
} as const;
