import type { CompanionEvent, Settlement } from "../../companion-event.ts";
import type { IdeContext } from "../../contract/context.ts";
import type { CloseReason } from "../../editor.ts";
import type { Paint } from "../terminal/paint.ts";

/** What is printed of an event. */
export interface EventText {
  /** From which log level on. */
  readonly level: "quiet" | "normal" | "debug";
  /** Whose doing it is: an agent's name, or a word. */
  readonly who: string;
  /** Painted. */
  readonly what: string;
}

/**
 * Puts an event into words; shows no file's text and no token.
 * @param label how a file is named
 */
export function describeEvent(
  event: CompanionEvent,
  paint: Paint,
  label: (file: string) => string,
): EventText {
  switch (event.kind) {
    case "session-opened":
      return normal(event.session.agent, paint.green("connected"));
    case "stream-opened":
      return debug(event.session.agent, paint.dim("stream opened"));
    case "stream-closed":
      return debug(event.session.agent, paint.dim("stream closed"));
    case "session-closed":
      return normal(event.session.agent, `disconnected${paint.dim(`, ${event.reason}`)}`);
    case "context-sent":
      return debug(
        "Context",
        paint.dim(`${describeContext(event.context, label)}, to ${count(event.sessions, "CLI")}`),
      );
    case "diff-opened":
      return normal(event.proposal.agent, `proposes ${paint.bold(label(event.proposal.filePath))}`);
    case "diff-settled": {
      const { agent, filePath } = event.proposal;
      return normal(agent, `${describeSettlement(event.settlement, paint)} ${paint.bold(label(filePath))}`);
    }
    case "edits-untaken": {
      const { agent, filePath } = event.proposal;
      const what = paint.yellow("has not taken your edits, they are kept in the page:");
      return normal(agent, `${what} ${paint.bold(label(filePath))}`);
    }
    case "outcome-delivered":
      return debug(event.proposal.agent, paint.dim(`knows of ${label(event.proposal.filePath)}`));
    case "request-refused":
      return normal("Refused", paint.yellow(`${event.status} ${event.reason}`));
    case "discovery-changed":
      return normal(
        "Discovery",
        `written: ${event.files.map((file) => paint.plain(label(file))).join(", ")}`,
      );
    case "warning":
      return { level: "quiet", who: "Warning", what: paint.yellow(event.message) };
  }
}

const normal = (who: string, what: string): EventText => ({ level: "normal", who, what });
const debug = (who: string, what: string): EventText => ({ level: "debug", who, what });

function describeSettlement(settlement: Settlement, paint: Paint): string {
  const kept = settlement.unsavedEdits === undefined ? "" : ", your edits are kept in the page";
  if (settlement.kind !== "closed") {
    const style = settlement.kind === "accepted" ? paint.green : paint.red;
    return settlement.by === "agent"
      ? style(`${settlement.kind} by the agent itself${kept}:`)
      : style(settlement.kind);
  }
  return `${closings[settlement.reason]}${kept}:`;
}

const closings: Readonly<Record<CloseReason, string>> = {
  agent: "decided in the terminal",
  replaced: "replaced by a newer proposal",
  "session-ended": "closed with its CLI",
  shutdown: "closed with the companion",
};

/** What the user looks at, in few words; shows no file's text. */
export function describeContext({ workspaceState }: IdeContext, label: (file: string) => string): string {
  const files = workspaceState?.openFiles ?? [];
  const active = files.find(({ isActive }) => isActive);
  const place = active?.cursor ? `:${active.cursor.line}:${active.cursor.character}` : "";
  const selected = active?.selectedText ? `, ${active.selectedText.length} characters selected` : "";
  const where = active ? `, ${label(active.path)}${place}${selected}` : "";
  return `${count(files.length, "file")}${where}`;
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
