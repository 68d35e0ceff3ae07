import type { Comments } from "../../core/comments/comment.ts";
import { toMessage } from "../../core/comments/message.ts";
import type { CompanionEvent } from "../../core/events.ts";
import type { PathLabels } from "../../files/workspace-path.ts";
import type { WaitingComments } from "./page-comments.ts";
import type { FrontendMessage } from "./protocol.ts";

/** The comments that no agent has received, as the pages show them. */
export class CommentsList {
  readonly #labels: PathLabels;
  #comments: Comments | undefined;

  constructor(labels: PathLabels) {
    this.#labels = labels;
  }

  /** From now on those of a companion. */
  use(comments: Comments): void {
    this.#comments = comments;
  }

  list(): Promise<readonly WaitingComments[]> {
    const all = this.#comments?.list() ?? [];
    return Promise.all(
      all.map(async (one) => {
        const { label } = await this.#labels.of(one.filePath);
        return { ...one, label, message: toMessage(one) };
      }),
    );
  }

  discard(id: string): void {
    this.#comments?.discard(id);
  }

  /** Those that only a page has. */
  keep({ agent, filePath, reason, comments }: Parameters<Comments["add"]>[0]): void {
    this.#comments?.add({ agent, filePath, reason, comments });
  }
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
