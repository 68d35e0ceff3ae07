import type { Comments } from "../../core/comments/comment.ts";
import { toMessage } from "../../core/comments/message.ts";
import type { CompanionEvent } from "../../core/events.ts";
import { pathLabel } from "../../files/workspace-path.ts";
import type { WaitingComments } from "./page-comments.ts";
import type { FrontendMessage } from "./protocol.ts";

export interface CommentsListOptions {
  readonly roots: () => readonly string[];
  readonly send: (message: FrontendMessage) => void;
}

/** The comments that no agent has received, as the pages show them. */
export interface CommentsList {
  /** From now on those of a companion. */
  use(comments: Comments): void;
  discard(id: string): void;
  /** Those that only a page has. */
  keep(comments: Parameters<Comments["add"]>[0]): void;
  /** Sends every page the list, which is another one. */
  announce(): void;
  all(): Promise<readonly WaitingComments[]>;
}

export function createCommentsList({ roots, send }: CommentsListOptions): CommentsList {
  let comments: Comments | undefined;
  const all = () =>
    Promise.all(
      (comments?.list() ?? []).map(async (one) => {
        const { label } = await pathLabel(one.filePath, roots());
        return { ...one, label, message: toMessage(one) };
      }),
    );
  const announce = () => void all().then((list) => send({ type: "waiting-comments", comments: list }));
  return {
    use: (next) => {
      comments = next;
      announce();
    },
    discard: (id) => void comments?.discard(id),
    keep: ({ agent, filePath, reason, comments: list }) =>
      comments?.add({ agent, filePath, reason, comments: list }),
    announce,
    all,
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
