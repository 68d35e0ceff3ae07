import type { CloseReason } from "./editor.ts";

/** How a proposal ended, as its agent hears it. */
export type Outcome =
  | { readonly kind: "accepted" /** The final text, the user's edits included. */; readonly content: string }
  | { readonly kind: "rejected" }
  /** Nobody has decided, and nobody will. An agent that closes its own diff does not hear this. */
  | { readonly kind: "closed"; readonly reason: Exclude<CloseReason, "agent"> };
