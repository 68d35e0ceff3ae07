import { existsSync } from "node:fs";
import type { Proposal } from "../../core/editor.ts";
import type { Outcome, ReviewOwner } from "../../core/review.ts";
import type { Reviews } from "../../core/reviews.ts";
import type { OpenSession } from "../../core/sessions.ts";
import { messageOf } from "../../system/error-message.ts";
import { answer, type ToolAnswer } from "./tools.ts";

/** How long the CLI waits for an editor that closes a diff, in milliseconds. */
const closingTime = 500;

/** A change as the CLI proposes it. */
export interface ProposedDiff {
  readonly filePath: string;
  readonly newContent: string;
  /** Unique within the connection. */
  readonly tab: string;
}

const rejected = answer("DIFF_REJECTED");

/** The diffs of one connection: each is a call that waits until the user has decided. */
export class Diffs {
  readonly #session: OpenSession;
  readonly #reviews: Reviews;
  /** Answers the calls that wait, by their tabs. */
  readonly #waiting = new Map<string, (result: ToolAnswer) => void>();
  /** Those that the editor is closing, by their tabs. */
  readonly #closing = new Map<string, Promise<unknown>>();

  constructor(session: OpenSession, reviews: Reviews) {
    this.#session = session;
    this.#reviews = reviews;
  }

  /** @returns the answer once there is one; none comes when the companion stops: then the CLI asks in its terminal */
  open({ tab, filePath, newContent }: ProposedDiff): Promise<ToolAnswer> {
    return new Promise((resolve) => {
      const finish = (result: ToolAnswer | undefined) => {
        if (this.#waiting.get(tab) === resolve) this.#waiting.delete(tab);
        if (result) resolve(result);
      };
      const owner = this.#toOwner((outcome) => finish(toAnswer(outcome)));
      const proposing = this.#reviews.propose(owner, { key: tab, filePath, newContent });
      this.#waiting.set(tab, resolve);
      proposing.catch((error: unknown) => finish({ ...answer(messageOf(error)), isError: true }));
    });
  }

  /** The CLI is done with a diff, whatever has become of it. Resolves once the editor has closed it. */
  async close(tab: string): Promise<void> {
    const resolve = this.#waiting.get(tab);
    if (resolve) {
      this.#waiting.delete(tab);
      resolve(rejected);
      this.#closing.set(tab, this.#closeInEditor(tab));
    }
    // The CLI often says it twice.
    await this.#closing.get(tab);
    this.#closing.delete(tab);
  }

  /** @returns how many there were */
  async closeAll(): Promise<number> {
    const tabs = [...this.#waiting.keys()];
    await Promise.all(tabs.map((tab) => this.close(tab)));
    return tabs.length;
  }

  async #closeInEditor(tab: string): Promise<void> {
    // The user may have decided this very moment: then it is closed already.
    const closing = this.#reviews.close(this.#session.info.id, tab).catch(() => undefined);
    await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, closingTime).unref())]);
  }

  #toOwner(deliver: (outcome: Outcome) => void): ReviewOwner {
    const session = this.#session;
    const { id, agent } = session.info;
    return {
      id,
      agent,
      get isOver() {
        return session.isOver;
      },
      deliver,
      objectionTo: (content, proposal) => whyNotTaken(content, proposal),
    };
  }
}

function toAnswer(outcome: Outcome): ToolAnswer | undefined {
  if (outcome.kind === "accepted") return answer("FILE_SAVED", outcome.content);
  // Nobody has rejected it when the companion stops: the question stays open in the terminal.
  const isOpen = outcome.kind === "closed" && outcome.reason !== "replaced";
  return isOpen ? undefined : rejected;
}

/** The CLI takes a text that is the file's as a rejection, and for it a file that is missing is empty. */
function whyNotTaken(content: string, { filePath, agent }: Proposal): string | undefined {
  if (content !== "" || existsSync(filePath)) return undefined;
  return `${agent} does not make an empty file: it would take this for a rejection. Reject the change, then make the file yourself.`;
}
