import { z } from "zod";
import { IdeContext } from "./context.ts";
import { HealthReport } from "./health.ts";

/** The whole present state. */
export const WatchReport = z.object({
  kind: z.literal("report"),
  ...HealthReport.shape,
  context: IdeContext,
});
export type WatchReport = z.infer<typeof WatchReport>;

/** A proposal has ended. */
export const WatchDecision = z.object({
  kind: z.literal("decision"),
  filePath: z.string(),
  agent: z.string(),
  outcome: z
    .enum(["accepted", "rejected", "closed"])
    .describe("`closed`: decided in the terminal, replaced by a newer proposal, or gone with its CLI."),
  at: z.number().describe("In milliseconds since 1970."),
});
export type WatchDecision = z.infer<typeof WatchDecision>;

/**
 * What `GET /watch` tells the holder of a token, as server-sent events without any envelope: a report at once and
 * after every change, and every decision as it is taken.
 */
export const WatchNews = z.discriminatedUnion("kind", [WatchReport, WatchDecision]);
export type WatchNews = z.infer<typeof WatchNews>;
