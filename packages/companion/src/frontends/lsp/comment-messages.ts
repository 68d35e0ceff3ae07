import { z } from "zod";

/** A comment of the user on lines of a proposal. */
const PluginComment = z.object({
  id: z.string().describe("Names the comment; unique in its proposal. You choose it."),
  side: z
    .enum(["proposed", "original"])
    .describe("Which text the lines are of: the proposed one as it stands, or the one to compare it with."),
  startLine: z.int().min(1).describe("1-based."),
  endLine: z.int().min(1).describe("1-based; the last line of the comment, included."),
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

const commentsId = { id: z.string().describe("Names the comments that wait, also after a restart.") };

const WaitingComments = z.object({
  ...commentsId,
  agent: z.string(),
  filePath: z.string(),
  label: z.string().describe("The file for people."),
  at: z.number().describe("When they were written last, in milliseconds since 1970."),
  reason: z.string().describe("Why the agent has not received them: a sentence for the user."),
  message: z.string().describe("All of them as one message for the agent's prompt."),
});

const agentWithThem = z.object({
  agent: z
    .string()
    .exactOptional()
    .describe("Whose prompt holds them, for people; absent when no prompt could be reached: they wait on."),
});

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
  commentsDelivered: {
    method: "companion/commentsDelivered",
    params: z.object({
      agent: z.string().describe("Who has them, for people."),
      by: z
        .enum(["outcome", "prompt"])
        .describe("`prompt`: they are in its prompt, and the user has to press Enter there."),
    }),
  },
  commentsRecovered: {
    method: "companion/commentsRecovered",
    params: WaitingComments.extend({
      wasSent: z
        .boolean()
        .describe("The user has sent them with a decision: put `message` on the clipboard, and say so."),
    }),
  },
  waitingComments: {
    method: "companion/waitingComments",
    params: z.object({}),
    answer: z.object({ comments: z.array(WaitingComments).describe("Newest first.") }),
  },
  sendComments: { method: "companion/sendComments", params: z.object(commentsId), answer: agentWithThem },
  discardComments: { method: "companion/discardComments", params: z.object(commentsId), answer: z.null() },
} as const;

export type WaitingCommentsView = z.infer<typeof WaitingComments>;
