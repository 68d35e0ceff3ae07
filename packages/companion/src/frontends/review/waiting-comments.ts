import type { Comments, RecoveredComments } from "../../core/comments/comment.ts";
import { toMessage } from "../../core/comments/message.ts";
import type { CompanionEvent } from "../../core/events.ts";
import type { createPathLabels } from "../../files/workspace-path.ts";
import type { WaitingComments } from "./page-comments.ts";
import type { FrontendMessage } from "./protocol.ts";

/** The comments that no agent has received, as the pages show them. */
export interface CommentsList {
  /** From now on those of a companion. */
  use(comments: Comments): void;
  discard(id: string): void;
  /** Those that only a page has. */
  keep(comments: Parameters<Comments["add"]>[0]): void;
  list(): Promise<readonly WaitingComments[]>;
}

export function createCommentsList(labels: ReturnType<typeof createPathLabels>): CommentsList {
  let comments: Comments | undefined;
  return {
    use: (next) => {
      comments = next;
    },
    discard: (id) => void comments?.discard(id),
    keep: ({ agent, filePath, reason, comments: list }) =>
      comments?.add({ agent, filePath, reason, comments: list }),
    list: () => {
      const toWaiting = async (one: RecoveredComments) => {
        const { label } = await labels.of(one.filePath);
        return { ...one, label, message: toMessage(one) };
      };
      return Promise.all((comments?.list() ?? []).map(toWaiting));
    },
  };
}

/** What pages are sent of comments that an agent has received, or has not. */
export function describeComments(
  event: CompanionEvent,
  toWireId: (id: string) => string,
): FrontendMessage | undefined {
  if (event.kind === "comments-delivered") {
    return { type: "comments-delivered", agent: event.proposal.agent, by: event.by };
  }
  if (event.kind !== "comments-recovered") return undefined;
  const { proposal, comments } = event;
  const id = toWireId(proposal.id);
  return { type: "comments-recovered", id, agent: proposal.agent, message: toMessage(comments) };
}
