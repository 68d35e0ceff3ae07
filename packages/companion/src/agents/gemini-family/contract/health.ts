import { z } from "zod";
import { IdeInfo } from "./discovery.ts";

/**
 * What `GET /health` answers to a holder of a token; without one it only says `{ status: "ok" }`.
 * `status` reads it to describe a companion from outside.
 */
export const HealthReport = z.object({
  status: z.literal("ok"),
  version: z.string().describe("Of the companion."),
  pid: z.int().describe("The process that serves it."),
  editor: IdeInfo,
  roots: z.array(z.string()).describe("Absolute."),
  paused: z
    .boolean()
    .exactOptional()
    .describe("Whether agents are sent nothing of what the user looks at; absent in earlier versions."),
  sessions: z.array(
    z.object({
      id: z.string(),
      agent: z.string().describe("The CLI's name for people."),
      pid: z.int().exactOptional().describe("The CLI's process, where it says so."),
      connectedAt: z.number().describe("In milliseconds since 1970."),
      streaming: z.boolean().describe("Whether its stream is open at this moment."),
    }),
  ),
  requests: z
    .array(
      z.object({
        agent: z.string().describe("The CLI's name for people."),
        requestedAt: z.number().describe("In milliseconds since 1970."),
      }),
    )
    .exactOptional()
    .describe(
      "CLIs that keep no connection: when each asked for the context last. Absent in earlier versions.",
    ),
  diffs: z
    .array(
      z.object({
        filePath: z.string(),
        agent: z.string(),
        openedAt: z.number().describe("In milliseconds since 1970."),
      }),
    )
    .describe("Proposals that wait for a decision, oldest first."),
});

/** A companion as it describes itself: folders are absolute, times are milliseconds since 1970. */
export type HealthReport = z.infer<typeof HealthReport>;
