import { safeText } from "../files/safe-text.ts";
import type { Context } from "./context.ts";
import type { Proposal } from "./editor.ts";
import type { CompanionEvent, FileResult } from "./events.ts";
import { outcomeOf } from "./history/history.ts";
import { createPaint, type Paint } from "./paint.ts";
import { explainReason, inEnglish, outcomes } from "./sentences.ts";

/** From few words to many. */
export const logLevels = ["quiet", "normal", "debug"] as const;
export type LogLevel = (typeof logLevels)[number];

/** What is printed of an event. */
export interface EventText {
  /** Whose doing it is: an agent's name, or a word. */
  readonly who: string;
  /** Painted. */
  readonly what: string;
}

/** From which level on an event is printed. */
export function levelOf(event: CompanionEvent): LogLevel {
  switch (event.kind) {
    case "warning":
      return "quiet";
    case "sharing-changed":
      return event.withheld.isPaused === event.wasPaused ? "debug" : "normal";
    case "stream-opened":
    case "stream-closed":
    case "context-sent":
    case "context-requested":
    case "edits-changed":
    case "comments-changed":
    case "outcome-delivered":
      return "debug";
    default:
      return "normal";
  }
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
    case "session-opened": {
      const { pid } = event.session.client;
      const process = pid === undefined ? "" : paint.dim(`, process ${pid}`);
      return text(event.session.agent, `${paint.green("connected")}${process}`);
    }
    case "stream-opened":
      return text(event.session.agent, paint.dim("stream opened"));
    case "stream-closed":
      return text(event.session.agent, paint.dim("stream closed"));
    case "session-closed":
      return text(event.session.agent, `disconnected${paint.dim(`, ${event.reason}`)}`);
    case "context-sent":
      return text(
        "Context",
        paint.dim(`${describeContext(event.context, label)}, to ${count(event.sessions, "CLI")}`),
      );
    case "context-requested":
      return text(event.agent, paint.dim(`asked for ${describeContext(event.context, label)}`));
    case "sharing-changed":
      return describeWithheld(event, label, paint);
    case "turn-written":
      return text(event.agent, `wrote ${count(event.files, "file")} without asking`);
    case "diff-opened":
      return text(event.proposal.agent, `proposes ${paint.bold(label(event.proposal.filePath))}`);
    case "diff-settled": {
      const { proposal, settlement } = event;
      const { agent, filePath } = proposal;
      const style = { accepted: paint.green, rejected: paint.red, closed: paint.plain }[settlement.kind];
      const outcome = inEnglish(outcomes[outcomeOf(proposal, settlement)], agent);
      return text(agent, `${style(outcome)}: ${paint.bold(label(filePath))}`);
    }
    case "file-checked":
      return describeFile(event.result, event.proposal, paint, label);
    case "edits-recovered": {
      const { agent, filePath } = event.edits;
      const reason = explainReason(event.edits);
      const what = paint.yellow("your edits are kept:");
      const command = paint.bold("ide-companion edits");
      return text(agent, `${what} ${command} ${paint.dim(`(${label(filePath)}: ${reason})`)}`);
    }
    case "edits-changed":
      return text("Edits", paint.dim("the list of recovered edits has changed"));
    case "comments-delivered": {
      const where = event.by === "prompt" ? "your comments are in its prompt:" : "has your comments on";
      return text(
        event.proposal.agent,
        `${paint.green(where)} ${paint.bold(label(event.proposal.filePath))}`,
      );
    }
    case "comments-recovered": {
      const { agent, filePath } = event.comments;
      const reason = explainReason(event.comments);
      const command = paint.bold("ide-companion comments");
      const what = `${paint.yellow("your comments are kept:")} ${command}`;
      return text(agent, `${what} ${paint.dim(`(${label(filePath)}: ${reason})`)}`);
    }
    case "comments-changed":
      return text("Comments", paint.dim("the list of comments that wait has changed"));
    case "outcome-delivered":
      return text(event.proposal.agent, paint.dim(`knows of ${label(event.proposal.filePath)}`));
    case "request-refused":
      return text("Refused", paint.yellow(`${event.status} ${event.reason}`));
    case "discovery-changed":
      return text("Discovery", `written: ${event.files.map((file) => paint.plain(label(file))).join(", ")}`);
    case "warning":
      return text("Warning", paint.yellow(event.message));
  }
}

const text = (who: string, what: string): EventText => ({ who, what });

function describeFile(
  result: FileResult,
  { agent, filePath }: Proposal,
  paint: Paint,
  label: (file: string) => string,
): EventText {
  const file = paint.bold(label(filePath));
  switch (result) {
    case "written":
      return text(agent, `${paint.green("wrote")} ${file}`);
    case "not-written":
      return text(agent, `${paint.yellow("has not written")} ${file}`);
    case "overwritten":
      return text(agent, `${file} ${paint.yellow("holds another text than the one accepted")}`);
  }
}

function describeWithheld(
  { withheld: { isPaused, excluded }, wasPaused }: CompanionEvent & { readonly kind: "sharing-changed" },
  label: (file: string) => string,
  paint: Paint,
): EventText {
  if (isPaused && !wasPaused) {
    return text("Sharing", paint.yellow("paused: agents are sent nothing of what you look at"));
  }
  if (wasPaused && !isPaused) return text("Sharing", paint.green("resumed"));
  return text("Sharing", paint.dim(`kept from agents: ${excluded.map(label).join(", ") || "nothing"}`));
}

/** What the user looks at, in few words; shows no file's text. */
function describeContext({ files }: Context, label: (file: string) => string): string {
  const active = files.find(({ isActive }) => isActive);
  const place = active?.cursor ? `:${active.cursor.line}:${active.cursor.character}` : "";
  const selected = active?.selectedText ? `, ${active.selectedText.length} characters selected` : "";
  const where = active ? `, ${label(active.path)}${place}${selected}` : "";
  return `${count(files.length, "file")}${where}`;
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;

const unpainted = createPaint(false);

/** The line of an event in the editor's log, if it is worth one; no text of a file, and no token. */
export function toLogLine(event: CompanionEvent): string | undefined {
  const isQuiet = levelOf(event) === "debug" && event.kind !== "sharing-changed";
  if (isQuiet || event.kind === "warning") return undefined;
  const { who, what } = describeEvent(event, unpainted, (file) => file);
  return `${safeText(who)}: ${what}`;
}
