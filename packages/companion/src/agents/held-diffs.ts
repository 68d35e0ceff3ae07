import type { NewProposal, Outcome, ReviewOwner } from "../core/changes/review.ts";
import type { Reviews } from "../core/changes/reviews.ts";
import type { Proposal } from "../core/editor.ts";
import type { OpenSession } from "../core/sessions.ts";
import { messageOf } from "../system/error-message.ts";
import type { ToolAnswer } from "./tools.ts";

/** How long a CLI waits for an editor that closes a diff, in milliseconds. */
const closingTime = 500;

/** How a diff ended whose call waits: the agent closed it itself, or it could not be shown. */
export type HeldOutcome =
  | Outcome
  | { readonly kind: "withdrawn" }
  | { readonly kind: "failed"; readonly message: string };

export interface HeldDiffsOptions {
  readonly session: OpenSession;
  readonly reviews: Reviews;
  /** The agent's name for people, where it is another than its session's. */
  readonly agentName?: () => string;
  readonly objectionTo?: ReviewOwner["objectionTo"];
  /** Whether the outcome of a change brings comments to its agent. */
  readonly takesComments?: (change: NewProposal) => boolean;
  /**
   * What a call is answered with; undefined leaves it unanswered: then the CLI asks in its terminal.
   * @param proposal of an outcome that the agent has not made itself
   */
  readonly toAnswer: (
    outcome: HeldOutcome,
    change: NewProposal,
    proposal?: Proposal,
  ) => ToolAnswer | Promise<ToolAnswer> | undefined;
}

interface Waiting {
  readonly change: NewProposal;
  readonly resolve: (answer: ToolAnswer | Promise<ToolAnswer>) => void;
}

/** The diffs of one session whose agent waits for the answer of a call until the user has decided. */
export class HeldDiffs {
  readonly #options: HeldDiffsOptions;
  /** The calls that wait, by their keys. */
  readonly #waiting = new Map<string, Waiting>();
  /** Those that the editor is closing, by their keys. */
  readonly #closing = new Map<string, Promise<unknown>>();

  constructor(options: HeldDiffsOptions) {
    this.#options = options;
  }

  /** @returns the answer once there is one */
  open(change: NewProposal): Promise<ToolAnswer> {
    return new Promise((resolve) => {
      const finish = (outcome: HeldOutcome, proposal?: Proposal) => {
        if (this.#waiting.get(change.key)?.resolve === resolve) this.#waiting.delete(change.key);
        const answer = this.#options.toAnswer(outcome, change, proposal);
        if (answer !== undefined) resolve(answer);
      };
      const proposing = this.#options.reviews.propose(this.#toOwner(finish, change), change);
      this.#waiting.set(change.key, { change, resolve });
      proposing.catch((error: unknown) => finish({ kind: "failed", message: messageOf(error) }));
    });
  }

  /** Whether the call about a file waits. */
  isOpen(filePath: string): boolean {
    return [...this.#waiting.values()].some(({ change }) => change.filePath === filePath);
  }

  /**
   * The agent is done with a diff, whatever has become of it. Resolves once the editor has closed it.
   * @returns whether its call still waited
   */
  async close(key: string): Promise<boolean> {
    const waiting = this.#waiting.get(key);
    if (waiting) {
      this.#waiting.delete(key);
      const answer = this.#options.toAnswer({ kind: "withdrawn" }, waiting.change);
      if (answer !== undefined) waiting.resolve(answer);
      this.#closing.set(key, this.#closeInEditor(key));
    }
    // An agent may say it twice.
    await this.#closing.get(key);
    this.#closing.delete(key);
    return waiting !== undefined;
  }

  /** @returns how many there were */
  async closeAll(): Promise<number> {
    const keys = [...this.#waiting.keys()];
    await Promise.all(keys.map((key) => this.close(key)));
    return keys.length;
  }

  async #closeInEditor(key: string): Promise<void> {
    const { reviews, session } = this.#options;
    // The user may have decided this very moment: then it is closed already.
    const closing = reviews.close(session.info.id, key).catch(() => undefined);
    await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, closingTime).unref())]);
  }

  #toOwner(deliver: ReviewOwner["deliver"], change: NewProposal): ReviewOwner {
    const { session, agentName, objectionTo, takesComments = () => false } = this.#options;
    const { id, agent } = session.info;
    let takes = false;
    return {
      id,
      agent: agentName?.() ?? agent,
      get isOver() {
        return session.isOver;
      },
      get takesComments() {
        return takes;
      },
      deliver(outcome, proposal) {
        takes = takesComments(change);
        deliver(outcome, proposal);
      },
      ...(objectionTo && { objectionTo }),
    };
  }
}
