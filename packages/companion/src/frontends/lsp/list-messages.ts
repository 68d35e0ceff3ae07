import { z } from "zod";

/** The changes of one agent for one prompt, as far as a companion can see. */
export const TurnView = z.object({
  id: z.string(),
  agent: z.string().describe("For people."),
  waiting: z.array(z.string()).describe("Ids of its proposals that wait, oldest first."),
  decided: z.int().describe("How many of its proposals have ended."),
  ahead: z
    .object({
      stopAt: z.array(z.string()).describe("Files that wait for the user all the same."),
      accepted: z.int().describe("How many have been accepted so."),
    })
    .exactOptional()
    .describe(
      "The user has its rest accepted: say so where it can be seen, and offer `companion/stopAccepting`.",
    ),
});

const editsId = { id: z.string().describe("Names the recovered edits, also after a restart.") };

const editsView = {
  ...editsId,
  agent: z.string(),
  filePath: z.string(),
  label: z.string().describe("The file for people."),
  at: z.number().describe("When the text was typed, in milliseconds since 1970."),
  reason: z.string().describe("Why the file does not hold it: a sentence for the user."),
};

const turnId = { turn: z.string().describe("The id of a turn in `companion/status`.") };

const decisionId = { id: z.string().describe("Names the decision, also after a restart.") };

const decisionView = {
  ...decisionId,
  agent: z.string().describe("Who had proposed it, for people."),
  filePath: z.string(),
  label: z.string().describe("The file for people."),
  at: z.number().describe("When it was decided, in milliseconds since 1970."),
  outcome: z.enum(["accepted", "rejected", "closed"]),
  text: z.string().describe("The outcome for people, with its reason: `accepted with your edits`."),
};

export type DecisionView = z.infer<typeof Decision>;
const Decision = z.object(decisionView);

/**
 * What a plugin and the frontend say to each other about turns, recovered edits, and what has been decided.
 * @see docs/reference/protocol.md
 */
export const listMessages = {
  editsRecovered: { method: "companion/editsRecovered", params: z.object(editsView) },
  edits: {
    method: "companion/edits",
    params: z.object({}),
    answer: z.object({ edits: z.array(z.object(editsView)).describe("Newest first.") }),
  },
  readEdits: {
    method: "companion/readEdits",
    params: z.object(editsId),
    answer: z.object({
      ...editsView,
      proposed: z.string().describe("What the agent had proposed."),
      content: z.string().describe("The text as the user had edited it."),
    }),
  },
  discardEdits: { method: "companion/discardEdits", params: z.object(editsId), answer: z.null() },
  acceptRest: {
    method: "companion/acceptRest",
    params: z.object({
      ...turnId,
      stopAt: z.array(z.string()).describe("Patterns as in a `.gitignore`: these files wait for the user."),
    }),
    answer: z.null(),
  },
  stopAccepting: { method: "companion/stopAccepting", params: z.object(turnId), answer: z.null() },
  history: {
    method: "companion/history",
    params: z.object({}),
    answer: z.object({
      decisions: z.array(Decision).describe("About files in the open folders, newest first; 200 at most."),
    }),
  },
  readDecision: {
    method: "companion/readDecision",
    params: z.object(decisionId),
    answer: z.object({
      ...decisionView,
      before: z.string().nullable().describe("The file before; null when there was none."),
      after: z.string().describe("The accepted text, or else the proposed one, with the user's edits."),
    }),
  },
  rewriteFile: {
    method: "companion/rewriteFile",
    params: z.object({
      ...decisionId,
      kind: z
        .enum(["undo", "reapply"])
        .describe("`undo` takes an accepted change out of its file, `reapply` puts a change in afterwards."),
    }),
    answer: z.object({
      filePath: z.string().describe("Absolute."),
      content: z
        .string()
        .exactOptional()
        .describe(
          "The whole new text of the file: put it into its buffer, unsaved. What changed since is in it.",
        ),
      reason: z.string().exactOptional().describe("Why there is none: a sentence for the user."),
    }),
  },
} as const;
