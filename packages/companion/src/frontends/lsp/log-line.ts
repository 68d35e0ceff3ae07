import type { CompanionEvent } from "../../core/events.ts";
import { safeText } from "../../files/safe-text.ts";

/** What is worth a line in the editor's log, and never more than one; no text of a file, and no token. */
export function toLogLine(event: CompanionEvent): string | undefined {
  const line = describe(event);
  return line === undefined ? undefined : safeText(line);
}

function describeWithheld({
  withheld: { isPaused, excluded },
  wasPaused,
}: CompanionEvent & { readonly kind: "sharing-changed" }): string {
  if (isPaused && !wasPaused) return "sharing is paused: agents are sent nothing of what you look at";
  if (wasPaused && !isPaused) return "sharing is resumed";
  return `kept from agents: ${excluded.join(", ") || "nothing"}`;
}

function describeSettled({
  proposal,
  settlement,
}: CompanionEvent & { readonly kind: "diff-settled" }): string {
  const { filePath, agent } = proposal;
  if (settlement.kind === "closed" || settlement.by !== "agent")
    return `${settlement.kind}: ${filePath} of ${agent}`;
  // What an agent accepts itself, the companion has written for it.
  const what = settlement.kind === "accepted" ? "accepted and written" : settlement.kind;
  return `${what} by ${agent} itself: ${filePath}`;
}

function describe(event: CompanionEvent): string | undefined {
  switch (event.kind) {
    case "session-opened":
      return `${event.session.agent} connected`;
    case "session-closed":
      return `${event.session.agent} disconnected, ${event.reason}`;
    case "sharing-changed":
      return describeWithheld(event);
    case "diff-opened":
      return `${event.proposal.agent} proposes a change of ${event.proposal.filePath}`;
    case "diff-settled":
      return describeSettled(event);
    case "file-checked":
      return `${event.result}: ${event.proposal.filePath} of ${event.proposal.agent}`;
    case "edits-recovered":
      return `recovered edits ${event.edits.id} of ${event.edits.filePath}`;
    case "discovery-changed":
      return `wrote ${event.files.join(", ")}`;
    case "request-refused":
      return `refused a request with ${event.status}: ${event.reason}`;
    default:
      return undefined;
  }
}
