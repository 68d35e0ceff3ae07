import { z } from "zod";

/** What the user writes about lines of a proposal. */
export const PageComment = z.object({
  id: z.string(),
  side: z.enum(["proposed", "original"]),
  startLine: z.int().min(1),
  endLine: z.int().min(1),
  quote: z.string(),
  text: z.string(),
});

/** Comments that only a page has, because their companion has ended: they wait from now on. */
export const KeptComments = z.object({
  type: z.literal("keep-comments"),
  agent: z.string(),
  filePath: z.string(),
  reason: z.string(),
  comments: z.array(PageComment),
});
