import { basename } from "node:path";
import { safeText } from "../../../files/safe-text.ts";
import type { Client } from "../client.ts";
import type { Notifier } from "../notifier.ts";
import type { Buttons } from "./buttons.ts";
import { countLines } from "./hunks.ts";
import type { ProposalController } from "./proposal-controller.ts";
import type { ReviewedProposal } from "./reviewed-proposal.ts";

export interface ChoicesOptions {
  readonly client: Pick<Client, "keys">;
  readonly buttons: Buttons;
  readonly notifier: Notifier;
  readonly controller: ProposalController;
}

/** Tells the user of proposals. */
export interface Choices {
  /** With the choices in the message where the editor offers them, else with the place where they are. */
  offer(reviewed: ReviewedProposal): void;
}

export function createChoices({ client, buttons, notifier, controller }: ChoicesOptions): Choices {
  async function choose(reviewed: ReviewedProposal, message: string): Promise<void> {
    const chosen = await buttons.offer(message, ["Accept", "Reject"], reviewed.end.signal);
    if (chosen === "Accept") controller.settle(reviewed, "accepted");
    if (chosen === "Reject") controller.settle(reviewed, "rejected");
  }

  return {
    offer(reviewed) {
      const message = describe(reviewed);
      // Short: in a terminal a message that needs two lines stops the user for a key, or is cut: then the key is still there.
      const withPlace = () =>
        notifier.show(
          "info",
          client.keys
            ? `${client.keys.actions}: accept, reject; ${client.keys.hover}: old lines. ${message}`
            : `${message}. Accept or reject it by a code action.`,
        );
      if (!buttons.areThere) return withPlace();
      choose(reviewed, `${message}.`).catch(() => {
        if (!reviewed.end.signal.aborted) withPlace();
      });
    },
  };
}

function describe({ proposal, path, hunks }: ReviewedProposal): string {
  return safeText(`${proposal.agent} proposes ${basename(path)} ${countLines(hunks)}`);
}
