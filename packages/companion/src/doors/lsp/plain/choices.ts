import { MessageType, ShowMessageRequest } from "vscode-languageserver";
import { z } from "zod";
import { safeText } from "../../../safe-text.ts";
import type { Ask } from "../asking.ts";
import type { Client } from "../client.ts";
import type { Voice } from "../voice.ts";
import { countLines } from "./hunks.ts";
import type { ProposalStage } from "./proposal-stage.ts";
import type { ReviewedProposal } from "./reviewed-proposal.ts";

/** How long a message may wait to be answered, in milliseconds: a working day. */
const limit = 10 * 60 * 60 * 1000;

const Choice = z.object({ title: z.string() }).nullable();

export interface ChoicesOptions {
  readonly client: Client;
  readonly ask: Ask;
  readonly voice: Voice;
  readonly stage: ProposalStage;
}

/** Tells the user of proposals. */
export interface Choices {
  /** With the choices in the message where the editor offers them, else with the place where they are. */
  offer(reviewed: ReviewedProposal): void;
}

export function createChoices({ client, ask, voice, stage }: ChoicesOptions): Choices {
  async function choose(reviewed: ReviewedProposal, message: string): Promise<void> {
    const actions = [{ title: "Accept" }, { title: "Reject" }];
    const params = { type: MessageType.Info, message, actions };
    const { signal } = reviewed.end;
    const chosen = await ask(ShowMessageRequest.method, params, { limit, answer: Choice, signal });
    if (chosen?.title === "Accept") stage.settle(reviewed, "accepted");
    if (chosen?.title === "Reject") stage.settle(reviewed, "rejected");
  }

  return {
    offer(reviewed) {
      const message = describe(reviewed);
      // Short: in a terminal a message that needs two lines stops the user for a key.
      const withPlace = () => voice.show("info", `${message}. Accept or reject it by a code action.`);
      if (!client.offersChoices) return withPlace();
      choose(reviewed, `${message}.`).catch(() => {
        if (!reviewed.end.signal.aborted) withPlace();
      });
    },
  };
}

function describe({ proposal, path, hunks }: ReviewedProposal): string {
  return safeText(`${proposal.agent} proposes ${path.split(/[\\/]/).at(-1)} ${countLines(hunks)}`);
}
