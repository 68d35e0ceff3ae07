import { join } from "node:path";
import type { CommentsDraft, CommentsStore } from "../../companion/src/core/comments/comments-store.ts";
import type { Comment, Decision, DecisionResult, Proposal } from "../../companion/src/core/editor.ts";
import type { EditsStore } from "../../companion/src/core/edits/edits-store.ts";
import type { SessionInfo } from "../../companion/src/core/events.ts";
import type { Notice, ReasonCode } from "../../companion/src/core/sentences.ts";
import { readFileNow } from "../../companion/src/files/file-text.ts";
import type { ReviewFrontend } from "../../companion/src/frontends/review/review-frontend.ts";

/** The current frontend of a fixture, which can be restarted, and what its companion has besides. */
export interface Running {
  frontend: ReviewFrontend;
  edits: EditsStore;
  waiting: CommentsStore;
}

/** An agent that proposes what the test says, with the companion between it and the page. */
export function createScriptedAgent(
  running: Running,
  proposed: Map<string, Proposal>,
  folder: string,
  /** The answer to a decision; it is taken where there is none. */
  result: ((decision: Decision) => DecisionResult) | undefined,
) {
  const decisions: Decision[] = [];
  /** What the pages have typed, as the companion saves it. */
  const drafts: string[] = [];
  /** What the pages have written about proposals, as the companion saves it. */
  const comments: (readonly Comment[])[] = [];
  const written = new Map<string, CommentsDraft>();
  const session: SessionInfo = {
    id: "one",
    agent: "Qwen Code",
    client: { name: "scripted", version: "1.2.3" },
    connectedAt: Date.now(),
  };
  let count = 0;

  /** The agent proposes a change of a file in the folder. */
  async function propose(
    name: string,
    newContent: string,
    agent = session.agent,
    readOnlyReason?: Notice,
  ): Promise<Proposal> {
    count += 1;
    const filePath = name.startsWith("/") ? name : join(folder, name);
    const proposal = {
      id: `${count}`,
      sessionId: agent === session.agent ? session.id : agent,
      agent,
      filePath,
      newContent,
      ...(readOnlyReason !== undefined && { readOnlyReason }),
      opensOneDiff: agent === "Gemini CLI",
      base: readFileNow(filePath).file,
      openedAt: Date.now(),
    };
    let draft = newContent;
    const decide = (decision: Decision): DecisionResult => {
      const answer = result?.(decision) ?? { taken: true };
      if (!answer.taken) return answer;
      decisions.push(decision);
      const settlement = { ...decision, by: "user" } as const;
      // The companion also reports the outcome before it answers the decision.
      const edited = draft === newContent ? {} : { edited: draft };
      running.frontend.onEvent({ kind: "diff-settled", proposal, settlement, ...edited });
      return answer;
    };
    proposed.set(proposal.id, proposal);
    written.set(proposal.id, running.waiting.draftOf(proposal));
    await running.frontend.editor.openDiff(
      proposal,
      decide,
      (text) => {
        drafts.push(text);
        draft = text;
      },
      (list) => {
        comments.push(list);
        written.get(proposal.id)?.save(list);
      },
    );
    running.frontend.onEvent({ kind: "diff-opened", proposal });
    return proposal;
  }

  /** The agent's user decides in the terminal. @returns the text that the page had */
  async function closeFromTerminal(proposal: Proposal): Promise<string> {
    const text = await running.frontend.editor.closeDiff(proposal.id, "agent");
    const settlement = { kind: "closed", reason: "agent" } as const;
    running.frontend.onEvent({ kind: "diff-settled", proposal, settlement, edited: text });
    if (text !== proposal.newContent) recover(proposal, text, "agent");
    return text;
  }

  /** The companion offers a text that no file contains. */
  function recover(proposal: Proposal, text: string, reason: ReasonCode): void {
    const { filePath, agent, newContent: proposed } = proposal;
    const edits = running.edits.add({ filePath, agent, reason, proposed, text });
    running.frontend.onEvent({ kind: "edits-recovered", proposal, edits });
  }

  /** The companion has not reached the agent with what the user has sent, or written. */
  function recoverComments(proposal: Proposal, reason: string): void {
    const comments = written.get(proposal.id)?.recover(reason);
    if (comments) {
      running.frontend.onEvent({ kind: "comments-recovered", proposal, comments, wasSent: true });
    }
  }

  return { decisions, drafts, comments, session, propose, closeFromTerminal, recover, recoverComments };
}
