import { existsSync } from "node:fs";
import type { Proposal } from "../../core/editor.ts";
import type { Reviews } from "../../core/reviews.ts";
import type { OpenSession } from "../../core/sessions.ts";
import { HeldDiffs, type HeldOutcome } from "../held-diffs.ts";
import { answer, type ToolAnswer } from "./tools.ts";

/** The diffs of one connection, by their tabs. A call gets no answer when the companion stops. */
export const createDiffs = (session: OpenSession, reviews: Reviews) =>
  new HeldDiffs<ToolAnswer>({ session, reviews, toAnswer, objectionTo: whyNotTaken });

function toAnswer(outcome: HeldOutcome): ToolAnswer | undefined {
  switch (outcome.kind) {
    case "accepted":
      return answer("FILE_SAVED", outcome.content);
    case "failed":
      return { ...answer(outcome.message), isError: true };
    case "closed":
      // Nobody has rejected it when the companion stops: the question stays open in the terminal.
      return outcome.reason === "replaced" ? answer("DIFF_REJECTED") : undefined;
    default:
      return answer("DIFF_REJECTED");
  }
}

/** The CLI takes a text that is the file's as a rejection, and for it a file that is missing is empty. */
function whyNotTaken(content: string, { filePath, agent }: Proposal): string | undefined {
  if (content !== "" || existsSync(filePath)) return undefined;
  return `${agent} does not make an empty file: it would take this for a rejection. Reject the change, then make the file yourself.`;
}
