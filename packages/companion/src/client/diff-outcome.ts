/** How a diff that this client opened ended. */
export type DiffOutcome =
  | {
      readonly kind: "accepted";
      /** The final text, the user's edits included. */
      readonly content: string;
    }
  | { readonly kind: "rejected" }
  /** Closed by this client itself, with `suppressNotification`. */
  | { readonly kind: "closed" };
