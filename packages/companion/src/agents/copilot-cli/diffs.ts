import type { NewProposal } from "../../core/review.ts";
import type { Reviews } from "../../core/reviews.ts";
import type { OpenSession } from "../../core/sessions.ts";
import { HeldDiffs, type HeldOutcome } from "../held-diffs.ts";
import { answer, type ToolAnswer } from "./tools.ts";

/** The diffs of one session, by their tabs. A call gets no answer when the companion stops. */
export const createDiffs = (session: OpenSession, reviews: Reviews, agentName: () => string) =>
  new HeldDiffs<ToolAnswer>({ session, reviews, agentName, toAnswer });

function toAnswer(outcome: HeldOutcome, { key, filePath }: NewProposal): ToolAnswer | undefined {
  const decided = (result: "SAVED" | "REJECTED", trigger: string, message: string) =>
    answer({ success: true, result, trigger, tab_name: key, message: `${message} ${filePath}` });
  switch (outcome.kind) {
    case "accepted":
      return decided("SAVED", "accepted_via_button", "The user has accepted the change of");
    case "rejected":
      return decided("REJECTED", "rejected_via_button", "The user has rejected the change of");
    case "withdrawn":
      return decided("REJECTED", "closed_via_tool", "The diff is closed of");
    case "failed":
      return undecided(outcome.message);
    case "closed":
      if (outcome.reason === "replaced")
        return decided("REJECTED", "closed_via_tool", "A newer diff has taken the place of the one of");
      // Nobody has rejected it. When the companion stops, the connections end without an answer.
      return outcome.reason === "shutdown" ? undefined : undecided("The session of this diff is over");
  }
}

/** The question in the terminal stays. */
const undecided = (message: string): ToolAnswer => ({
  content: [{ type: "text", text: message }],
  isError: true,
});
