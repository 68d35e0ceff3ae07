import { toSentence, toStopPatterns } from "ide-companion/editor-kit";
import { l10n, window } from "vscode";
import { inform, warn } from "../messages.ts";
import { toMessage } from "../plain-text.ts";
import { say } from "../wording.ts";
import { nameOf } from "../workspace.ts";
import { askForComment } from "./comments.ts";
import type { OpenProposal } from "./open-proposal.ts";
import { describeProposal, lossOf, stateOf } from "./proposal-facts.ts";
import type { Proposals } from "./proposals.ts";
import type { ProposalGroup, WaitingGroups } from "./waiting-groups.ts";

/** Accepts and rejects whole proposals. Every decision carries the user's comments. */
export type Decisions = ReturnType<typeof createDecisions>;

type Kind = "accepted" | "rejected";

/** How many proposals a question lists; it counts the rest. */
const maxListed = 15;

export function createDecisions(
  proposals: Proposals,
  groups: Pick<WaitingGroups, "proposals" | "acceptRest">,
) {
  const decide = async (
    proposal: OpenProposal,
    kind: Kind,
    options: Parameters<Proposals["decide"]>[2] = {},
  ) => {
    const { ownVersion } = proposal;
    const comments = hasComments(proposal) ? { comments: proposal.change.comments } : {};
    const decision =
      kind === "accepted" ? { kind, ...(ownVersion && { ownVersion }), ...comments } : { kind, ...comments };
    const result = await proposals.decide(proposal, decision, options);
    if (!result.taken) warn(toSentence(result.reason, say));
    else if (result.notice !== undefined) inform(toSentence(result.notice, say));
  };
  /** @param preserveFocus false where the user decides in the proposal: then what comes up has the focus */
  const reject = (proposal: OpenProposal, preserveFocus = true) =>
    decide(proposal, "rejected", { preserveFocus, next: after(proposal) });
  const accept = async (proposal: OpenProposal, preserveFocus = true) => {
    if (proposal.isOriginalDirty && !(await confirmOverwriting(proposal))) return;
    await decide(proposal, "accepted", { preserveFocus, next: after(proposal) });
  };
  /** The one that follows in the list. */
  const after = (proposal: OpenProposal): OpenProposal | undefined => {
    const all = groups.proposals;
    const next = all[all.indexOf(proposal) + 1] ?? all[0];
    return next === proposal ? undefined : next;
  };
  /** What was decided meanwhile is left out. */
  const decideEach = async (asked: readonly OpenProposal[], kind: Kind) => {
    for (const proposal of asked) if (proposals.all.includes(proposal)) await decide(proposal, kind);
  };
  const decideAll = async (kind: Kind) => {
    const all = groups.proposals;
    const [first] = all;
    if (!first) return notifyNothingWaits();
    if (all.length === 1) return kind === "accepted" ? accept(first) : reject(first);
    const [question, yes] =
      kind === "accepted"
        ? [l10n.t("Accept all {0} changes?", all.length), l10n.t("Accept all")]
        : [l10n.t("Reject all {0} changes?", all.length), l10n.t("Reject all")];
    if ((await ask(question, all, kind, yes)) !== undefined) await decideEach(all, kind);
  };
  return {
    accept,
    reject,
    /** Asks for a comment where there is none, as the next one does. */
    acceptAndAskForMore: (proposal: OpenProposal, preserveFocus?: boolean) =>
      hasComments(proposal) ? accept(proposal, preserveFocus) : askForComment(proposal),
    rejectAndSayWhy: (proposal: OpenProposal, preserveFocus?: boolean) =>
      hasComments(proposal) ? reject(proposal, preserveFocus) : askForComment(proposal),
    /** Asks for confirmation when there are several, as the next one does. */
    acceptAll: () => decideAll("accepted"),
    rejectAll: () => decideAll("rejected"),
    /** Accepts the rest of what an agent proposes, after a question; if the user wants, also what the turn still brings. */
    async acceptRest({ agent, turn, proposals: rest }: ProposalGroup) {
      const question = l10n.t("Accept what {0} proposes?", toMessage(agent));
      const ahead = l10n.t("Accept all, and the rest of this turn…");
      const choice = await ask(question, rest, "accepted", l10n.t("Accept all"), ...(turn ? [ahead] : []));
      if (choice === undefined) return;
      const stopAt = choice === ahead ? await askWhereToStop(agent) : [];
      if (stopAt === undefined) return;
      await decideEach(rest, "accepted");
      if (turn && choice === ahead) groups.acceptRest(turn, stopAt);
    },
  };
}

const hasComments = ({ change }: OpenProposal) => change.comments.length > 0;

export const notifyNothingWaits = (): void => inform(l10n.t("No change waits for your decision."));

/** Asks because the agent writes the file on disk and ignores unsaved edits. */
async function confirmOverwriting({ proposal }: OpenProposal): Promise<boolean> {
  const name = toMessage(nameOf(proposal.filePath));
  const accept = l10n.t("Accept");
  const detail = l10n.t(
    "{0} writes the file on disk, without them. They stay in the editor, unsaved, and VS Code asks which of the two to keep when you save.",
    toMessage(proposal.agent),
  );
  const message = l10n.t("{0} has edits that you have not saved.", name);
  return (await window.showWarningMessage(message, { modal: true, detail }, accept)) === accept;
}

/** Lists the proposals, and says which edits of the user they concern. @returns the answer that was chosen */
async function ask(
  question: string,
  all: readonly OpenProposal[],
  kind: Kind,
  ...answers: readonly string[]
): Promise<string | undefined> {
  const lines = all.slice(0, maxListed).map((proposal) => {
    const { isEdited, isOriginalDirty } = proposal;
    const accepting = [
      isEdited && l10n.t("with your edits"),
      isOriginalDirty && l10n.t("the file has edits that you have not saved"),
      ...[stateOf(proposal), lossOf(proposal)],
    ];
    const notes = kind === "accepted" ? accepting : [isEdited && l10n.t("without your edits")];
    return toMessage([describeProposal(proposal), ...notes].filter(Boolean).join(", "));
  });
  const rest = all.length - lines.length;
  if (rest > 0) lines.push(l10n.t("and {0} more", rest));
  return window.showWarningMessage(question, { modal: true, detail: lines.join("\n") }, ...answers);
}

/** @returns patterns of files that wait for the user, perhaps none; undefined when the user has changed their mind */
async function askWhereToStop(agent: string): Promise<readonly string[] | undefined> {
  const patterns = await window.showInputBox({
    title: l10n.t("Accept what {0} still proposes in this turn. Stop at files that match:", toMessage(agent)),
    prompt: l10n.t(
      "It ends with the turn, when you reject a change or decide in the terminal, and when you stop it. Files outside your folders, ignored by git or kept from agents wait for you.",
    ),
    placeHolder: "*.sql, migrations/",
    ignoreFocusOut: true,
  });
  return patterns === undefined ? undefined : toStopPatterns(patterns);
}
