import path from "node:path";
import { z } from "zod";
import type { Sent } from "../../../companion.ts";
import type { Range } from "../../../core/editor.ts";
import { toSentence } from "../../../core/sentences.ts";
import type { CompanionStatus } from "../../../core/status.ts";
import { messageOf } from "../../../system/error-message.ts";
import { describeStatus, review, running } from "../tier.ts";
import { namesOfAgents } from "./actions.ts";
import type { Documents } from "./documents.ts";
import { touches } from "./hunks.ts";
import { commands, toWorkspaceEdit } from "./marks.ts";
import type { PlainParts } from "./parts.ts";
import type { ReviewedProposal } from "./reviewed-proposal.ts";

const Position = z.object({ line: z.int().min(0), character: z.int().min(0) });
const Selection = z.tuple([z.string(), z.object({ start: Position, end: Position })]);

const modes = {
  [commands.reviewBefore]: "before",
  [commands.reviewAfter]: "after",
  [commands.reviewOff]: "off",
} as const;

/** Does what a lens, an action or the user's command picker asks for; from the picker come no arguments. */
export function executeCommands(parts: PlainParts): void {
  const { connection, notifier, controller, written, listed } = parts;
  const withProposal = (
    id: unknown,
    then: (reviewed: ReviewedProposal) => unknown,
    otherwise = controller.current,
  ) => {
    const reviewed = typeof id === "string" ? controller.find(id) : otherwise;
    if (reviewed) then(reviewed);
    else notifier.show("info", "No proposal waits for your decision.");
  };
  connection.onExecuteCommand(({ command, arguments: given = [] }) => {
    if (written.execute(command, given) || listed.execute(command, given)) return null;
    switch (command) {
      case commands.accept:
        withProposal(given[0], (reviewed) => controller.settle(reviewed, "accepted"));
        break;
      case commands.reject:
        withProposal(given[0], (reviewed) => controller.settle(reviewed, "rejected"));
        break;
      case commands.revert:
        withProposal(given[0], (reviewed) => revertChange(reviewed, given[1], parts));
        break;
      case commands.show:
        withProposal(given[0], (reviewed) => reveal(reviewed, parts), controller.waiting[0]);
        break;
      case commands.shareSelection:
        void shareSelection(given, parts);
        break;
      case commands.status:
        // The user may ask while the companion starts.
        void saying(parts, async () => describeStatus(await running(parts)));
        break;
      case commands.pause:
        void saying(parts, () => parts.pause(true));
        break;
      case commands.resume:
        void saying(parts, () => parts.pause(false));
        break;
      case commands.openPage:
        void saying(parts, async () => {
          const { message, copy = "" } = await parts.openPage();
          return message.replace("{place}", copy);
        });
        break;
      case commands.reviewBefore:
      case commands.reviewAfter:
      case commands.reviewOff:
        void saying(parts, () => review(parts, modes[command]));
        break;
    }
    return null;
  });
}

/** @param run returns a sentence for the user, or fails with one */
async function saying({ notifier }: PlainParts, run: () => string | Promise<string>): Promise<void> {
  try {
    notifier.show("info", await run());
  } catch (error) {
    notifier.show("error", messageOf(error));
  }
}

/** The change in the line that is given, or else in the one where the user is. */
function revertChange(reviewed: ReviewedProposal, given: unknown, parts: PlainParts): void {
  const { documents, staging, notifier } = parts;
  const { readOnlyReason } = reviewed.proposal;
  if (readOnlyReason !== undefined) {
    notifier.show("info", toSentence(readOnlyReason));
    return;
  }
  const cursor = documents.at(reviewed.path)?.cursor?.line ?? 0;
  const position = { line: typeof given === "number" ? given : cursor, character: 0 };
  const hunk = reviewed.hunks.find((candidate) => touches(candidate, { start: position, end: position }));
  if (!hunk) {
    notifier.show("info", `There is no change in line ${position.line + 1}.`);
    return;
  }
  staging.edit("Revert this change", toWorkspaceEdit(reviewed, hunk)).catch((error: Error) => {
    notifier.show("warning", `The change could not be reverted: ${error.message}`);
  });
}

function reveal(reviewed: ReviewedProposal, { documents, staging, notifier }: PlainParts): void {
  documents.focus(reviewed.uri);
  staging.reveal(reviewed).catch((error: Error) => notifier.show("warning", error.message));
}

async function shareSelection(
  given: readonly unknown[],
  { documents, notifier, status, started, companion }: PlainParts,
): Promise<void> {
  const parsed = Selection.safeParse(given);
  if (parsed.success) documents.look(...parsed.data);
  const { activePath } = documents.context;
  if (activePath === undefined) {
    notifier.show("info", "No file is open that could be shared.");
    return;
  }
  const lines = linesAt(documents, activePath);
  const what = `${path.basename(activePath)}${lines ? describeLines(lines) : ""}`;
  const mention = { path: activePath, ...(lines && { range: toRange(lines) }) };
  // The others have it by their context: typed as well, it would be in the user's way.
  await started();
  const sent = await companion()?.send({ mentions: [mention] }, { mayType: false });
  notifier.show("info", describeSent(what, sent, status()));
}

function describeSent(what: string, sent: Sent | undefined, status: CompanionStatus): string {
  switch (sent?.kind) {
    case "sent":
      return `The prompt of ${sent.agent} has a reference to ${what}.`;
    case "paused":
      return `${what} is not shared: sharing is paused (ide-companion resume).`;
    case "excluded":
      return `${what} is not shared: the file is kept from agents.`;
    default:
      return whatIsShared(what, status);
  }
}

function whatIsShared(what: string, status: CompanionStatus): string {
  const names = namesOfAgents(status);
  const isHeard = status.sessions.length > 0;
  return isHeard ? `Shared ${what} with ${names}.` : `${what} is shared as soon as ${names} connects.`;
}

/** Lines of a file, 1-based, both included. */
interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Those of the selection, or that of the cursor. A selection that ends at the start of a line does not include it. */
function linesAt(documents: Documents, activePath: string): Lines | undefined {
  const document = documents.at(activePath);
  const { start, end } = document?.selection ?? { start: document?.cursor, end: document?.cursor };
  if (!start || !end) return undefined;
  const isWhole = end.character === 0 && end.line > start.line;
  return { first: start.line + 1, last: isWhole ? end.line : end.line + 1 };
}

const describeLines = ({ first, last }: Lines) =>
  first === last ? `, line ${first}` : `, lines ${first} to ${last}`;

const toRange = ({ first, last }: Lines): Range => ({
  start: { line: first, character: 1 },
  end: { line: last + 1, character: 1 },
});
