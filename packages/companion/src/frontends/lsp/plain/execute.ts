import path from "node:path";
import { z } from "zod";
import type { Lines } from "../../../core/prompt-message.ts";
import { toSentence } from "../../../core/sentences.ts";
import type { CompanionStatus } from "../../../core/status.ts";
import { messageOf } from "../../../system/error-message.ts";
import { refuse } from "../../protocol/stored-list.ts";
import { sendMessage } from "../../send-message.ts";
import { describeStatus, review, running } from "../tier.ts";
import { namesOfAgents } from "./actions.ts";
import { type Documents, SentRange } from "./documents.ts";
import { touches } from "./hunks.ts";
import { type Commands, commands, toWorkspaceEdit } from "./marks.ts";
import type { PlainParts } from "./parts.ts";
import type { ReviewedProposal } from "./reviewed-proposal.ts";

const Selection = z.tuple([z.string(), SentRange]);

/** Does what a lens, an action or the user's command picker asks for; from the picker come no arguments. */
export function executeCommands(parts: PlainParts): void {
  const { connection, notifier, written, listed } = parts;
  const all: Commands = {
    ...written.commands,
    ...listed.commands,
    ...proposalCommands(parts),
    ...companionCommands(parts),
  };
  async function execute(command: string, given: readonly unknown[]): Promise<void> {
    try {
      const said = await all[command]?.(given);
      if (typeof said === "string") notifier.show("info", said);
    } catch (error) {
      notifier.show("warning", messageOf(error));
    }
  }
  connection.onExecuteCommand(({ command, arguments: given = [] }) => {
    void execute(command, given); // what it asks of the editor may wait for this answer
    return null;
  });
}

function proposalCommands(parts: PlainParts): Commands {
  const { controller, documents, staging } = parts;
  const find = (id: unknown, otherwise = controller.current) =>
    (typeof id === "string" ? controller.find(id) : otherwise) ??
    refuse("No proposal waits for your decision.");
  return {
    [commands.accept]: ([id]) => controller.settle(find(id), "accepted"),
    [commands.reject]: ([id]) => controller.settle(find(id), "rejected"),
    [commands.revert]: ([id, line]) => revertChange(find(id), line, parts),
    [commands.show]: ([id]) => {
      const reviewed = find(id, controller.waiting[0]);
      documents.focus(reviewed.uri);
      return staging.reveal(reviewed);
    },
  };
}

function companionCommands(parts: PlainParts): Commands {
  return {
    [commands.shareSelection]: (given) => shareSelection(given, parts),
    // The user may ask while the companion starts.
    [commands.status]: async () => describeStatus(await running(parts)),
    [commands.pause]: () => parts.pause(true),
    [commands.resume]: () => parts.pause(false),
    [commands.openPage]: async () => {
      const { message, copy = "" } = await parts.openPage();
      return message.replace("{place}", copy);
    },
    [commands.reviewBefore]: () => review(parts, "before"),
    [commands.reviewAfter]: () => review(parts, "after"),
    [commands.reviewOff]: () => review(parts, "off"),
  };
}

/** The change in the line that is given, or else in the one where the user is. */
async function revertChange(reviewed: ReviewedProposal, given: unknown, parts: PlainParts): Promise<void> {
  const { documents, staging } = parts;
  const { readOnlyReason } = reviewed.proposal;
  if (readOnlyReason !== undefined) refuse(toSentence(readOnlyReason));
  const cursor = documents.at(reviewed.path)?.cursor?.line ?? 0;
  const position = { line: typeof given === "number" ? given : cursor, character: 0 };
  const hunk = reviewed.hunks.find((candidate) => touches(candidate, { start: position, end: position }));
  if (!hunk) return refuse(`There is no change in line ${position.line + 1}.`);
  await staging.edit("Revert this change", toWorkspaceEdit(reviewed, hunk)).catch((error: Error) => {
    refuse(`The change could not be reverted: ${error.message}`);
  });
}

async function shareSelection(
  given: readonly unknown[],
  { documents, roots, status, started }: PlainParts,
): Promise<string> {
  const parsed = Selection.safeParse(given);
  if (parsed.success) documents.look(...parsed.data);
  const { activePath } = documents.context;
  if (activePath === undefined) return "No file is open that could be shared.";
  const lines = linesAt(documents, activePath);
  const what = `${path.basename(activePath)}${lines ? describeLines(lines) : ""}`;
  const mention = { path: activePath, ...(lines && { lines }) };
  // The others have it by their context: typed as well, it would be in the user's way.
  const options = { roots: roots(), mayType: false };
  const { agent, reason } = await sendMessage(await started(), { mentions: [mention] }, options);
  if (agent !== undefined) return `The prompt of ${agent} has a reference to ${what}.`;
  return reason ?? whatIsShared(what, status());
}

function whatIsShared(what: string, status: CompanionStatus): string {
  const names = namesOfAgents(status);
  const isHeard = status.sessions.length > 0;
  return isHeard ? `Shared ${what} with ${names}.` : `${what} is shared as soon as ${names} connects.`;
}

/** The lines of the selection, or that of the cursor. A selection that ends at the start of a line does not include it. */
function linesAt(documents: Documents, activePath: string): Lines | undefined {
  const document = documents.at(activePath);
  const { start, end } = document?.selection ?? { start: document?.cursor, end: document?.cursor };
  if (!start || !end) return undefined;
  const isWhole = end.character === 0 && end.line > start.line;
  return { first: start.line + 1, last: isWhole ? end.line : end.line + 1 };
}

const describeLines = ({ first, last }: Lines): string =>
  first === last ? `, line ${first}` : `, lines ${first} to ${last}`;
