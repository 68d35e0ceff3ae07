import type {
  Comment,
  Companion,
  Decision,
  DecisionResult,
  DiffState,
  Proposal,
  Rebase,
  ShownChange,
} from "ide-companion";

/** What a toy agent proposes: a new file. */
export const toyProposal: Proposal = {
  id: "1",
  sessionId: "s",
  agent: "Toy",
  filePath: "/nowhere/a.txt",
  newContent: "new\n",
  base: { kind: "missing" },
  openedAt: 0,
};

/** Of a companion whose agents have proposed nothing. */
export const noTurns: Companion["turns"] = {
  list: [],
  onChange: () => () => {},
  acceptRest: () => {},
  stop: () => {},
};

/** A decision, and the text that is accepted by it. */
export type Decided = Decision & { readonly content?: string };

/** A change without a companion: the test hears what the window reports of it, and answers the decision. */
export class ToyChange implements ShownChange {
  proposal: Proposal;
  text: string;
  state: DiffState = "current";
  comments: readonly Comment[] = [];
  readonly revision = 0;
  readonly hunks = [];
  readonly added = 0;
  readonly removed = 0;
  readonly isOver = false;
  /** What its window is asked to show. */
  offered: Rebase | undefined;
  readonly #onDecision: (decision: Decided) => DecisionResult;
  readonly #onText: (text: string) => unknown;

  constructor(
    proposal = toyProposal,
    onDecision: (decision: Decided) => DecisionResult = () => ({ taken: true }),
    onText: (text: string) => unknown = () => {},
  ) {
    this.proposal = proposal;
    this.text = proposal.newContent;
    this.#onDecision = onDecision;
    this.#onText = onText;
  }

  get id(): string {
    return this.proposal.id;
  }

  write(text: string): void {
    if (text === this.offered?.text) Object.assign(this, this.offered);
    if (text !== this.text) this.#onText(text);
    this.text = text;
  }

  saveComments(comments: readonly Comment[]): void {
    this.comments = comments;
  }

  decide(decision: Decision): DecisionResult {
    return this.#onDecision({ ...decision, ...(decision.kind === "accepted" && { content: this.text }) });
  }
}
