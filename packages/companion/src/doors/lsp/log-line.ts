import type { CompanionEvent } from "../../companion-event.ts";
import { safeText } from "../../safe-text.ts";

/** What is worth a line in the editor's log, and never more than one; no text of a file, and no token. */
export function toLogLine(event: CompanionEvent): string | undefined {
  const line = describe(event);
  return line === undefined ? undefined : safeText(line);
}

function describe(event: CompanionEvent): string | undefined {
  switch (event.kind) {
    case "session-opened":
      return `${event.session.agent} connected`;
    case "session-closed":
      return `${event.session.agent} disconnected, ${event.reason}`;
    case "diff-opened":
      return `${event.proposal.agent} proposes a change of ${event.proposal.filePath}`;
    case "diff-settled":
      return `${event.settlement.kind}: ${event.proposal.filePath} of ${event.proposal.agent}`;
    case "edits-untaken":
      return `${event.proposal.agent} has not taken the accepted text of ${event.proposal.filePath}`;
    case "discovery-changed":
      return `wrote ${event.files.join(", ")}`;
    case "request-refused":
      return `refused a request with ${event.status}: ${event.reason}`;
    default:
      return undefined;
  }
}
