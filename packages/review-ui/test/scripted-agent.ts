import { join } from "node:path";
import type { Change } from "../../companion/src/core/changes/change.ts";
import type { CommentsStore } from "../../companion/src/core/comments/comments-store.ts";
import type {
  Comment,
  Decision,
  DecisionResult,
  EditorContext,
  Proposal,
} from "../../companion/src/core/editor.ts";
import type { EditsStore } from "../../companion/src/core/edits/edits-store.ts";
import type { SessionInfo } from "../../companion/src/core/events.ts";
import type { Notice, ReasonCode } from "../../companion/src/core/sentences.ts";
import { readFileNow } from "../../companion/src/files/file-text.ts";
import type { ReviewFrontend } from "../../companion/src/frontends/review/review-frontend.ts";
import { createTestChange, type Decided } from "../../companion/src/testing/test-change.ts";

/** The current frontend of a fixture, which can be restarted, and what its companion has besides. */
export interface Running {
  frontend: ReviewFrontend;
  edits: EditsStore;
  waiting: CommentsStore;
}

/** An agent that proposes what the test says, with the companion between it and the page. */
export function createScriptedAgent(
  running: Running,
  changes: Map<string, Change>,
  folder: string,
  /** The answer to a decision; it is taken where there is none. */
  result: ((decision: Decision) => DecisionResult) | undefined,
) {
  const decisions: Decided[] = [];
  /** What the pages have typed, as the companion saves it. */
  const drafts: string[] = [];
  /** What the pages have written about proposals, as the companion saves it. */
  const comments: (readonly Comment[])[] = [];
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
    const decide = (decision: Decided): DecisionResult => {
      const answer = result?.(decision) ?? { taken: true };
      if (!answer.taken) return answer;
      decisions.push(decision);
      const settlement = { content: change.text, ...decision, by: "user" } as const;
      // The companion also reports the outcome before it answers the decision.
      const edited = change.text === newContent ? {} : { edited: change.text };
      running.frontend.onEvent({ kind: "diff-settled", proposal, settlement, ...edited });
      return answer;
    };
    const change = createTestChange(
      proposal,
      decide,
      (text) => drafts.push(text),
      (list) => comments.push(list),
      { edits: running.edits, comments: running.waiting },
    );
    changes.set(proposal.id, change);
    await running.frontend.editor.show(change);
    running.frontend.onEvent({ kind: "diff-opened", proposal });
    return proposal;
  }

  /** The agent's user decides in the terminal. @returns the text that the page had */
  async function closeFromTerminal(proposal: Proposal): Promise<string> {
    const change = changeOf(proposal);
    await running.frontend.editor.hide(change, "agent");
    change.end();
    const { text } = change;
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
    const comments = changeOf(proposal).remarks.recover(reason);
    if (comments) {
      running.frontend.onEvent({ kind: "comments-recovered", proposal, comments, wasSent: true });
    }
  }

  function changeOf({ id }: Proposal): Change {
    const change = changes.get(id);
    if (!change) throw new Error(`nobody has proposed ${id}`);
    return change;
  }

  return {
    ...{ decisions, drafts, comments, session, propose, changeOf },
    ...{ closeFromTerminal, recover, recoverComments },
  };
}

/** Collects the contexts that the page sends. */
export function listenToContext() {
  let last: EditorContext | undefined;
  const listeners = new Set<(context: EditorContext) => void>();
  return {
    receive: (context: EditorContext) => {
      last = context;
      for (const listener of listeners) listener(context);
    },
    wait: (fits: (context: EditorContext) => boolean): Promise<EditorContext> => {
      if (last && fits(last)) return Promise.resolve(last);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          listeners.delete(listen);
          reject(new Error(`no such context came; the last was ${JSON.stringify(last)}`));
        }, 10_000);
        const listen = (context: EditorContext) => {
          if (!fits(context)) return;
          clearTimeout(timer);
          listeners.delete(listen);
          resolve(context);
        };
        listeners.add(listen);
      });
    },
  };
}
