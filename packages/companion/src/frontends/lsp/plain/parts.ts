import type { TierOptions } from "../tier.ts";
import type { Buttons } from "./buttons.ts";
import type { Documents } from "./documents.ts";
import type { ListDocuments } from "./list-documents.ts";
import type { ProposalController } from "./proposal-controller.ts";
import type { ProposalFolder } from "./proposal-folder.ts";
import type { Staging } from "./staging.ts";
import type { WrittenDocuments } from "./written-documents.ts";

/** What answers an editor that has nothing of ours. */
export interface PlainParts extends TierOptions {
  readonly folder: ProposalFolder;
  readonly buttons: Buttons;
  readonly documents: Documents;
  readonly controller: ProposalController;
  readonly staging: Staging;
  readonly written: WrittenDocuments;
  readonly listed: ListDocuments;
}
