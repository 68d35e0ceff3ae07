import type { Connection } from "vscode-languageserver";
import type { Companion } from "../../../companion.ts";
import type { CompanionStatus } from "../../../core/status.ts";
import type { Client } from "../client.ts";
import type { Notifier } from "../notifier.ts";
import type { Buttons } from "./buttons.ts";
import type { Documents } from "./documents.ts";
import type { ProposalController } from "./proposal-controller.ts";
import type { Staging } from "./staging.ts";
import type { WrittenDocuments } from "./written-documents.ts";

/** What answers an editor that has nothing of ours. */
export interface PlainParts {
  readonly client: Client;
  readonly connection: Connection;
  readonly notifier: Notifier;
  readonly buttons: Buttons;
  readonly documents: Documents;
  readonly controller: ProposalController;
  readonly staging: Staging;
  readonly written: WrittenDocuments;
  /** Sends agents nothing of what the user looks at, or sends it again. @throws Error when that is not remembered */
  readonly pause: (isPaused: boolean) => string;
  /** Resolves once there is a companion, or will be none. */
  readonly started: () => Promise<unknown>;
  readonly status: () => CompanionStatus;
  readonly companion: () => Companion | undefined;
}
