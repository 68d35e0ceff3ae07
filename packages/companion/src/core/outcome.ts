/** How a proposal ended, as its agent is told. */
export type Outcome =
  | {
      readonly kind: "accepted";
      readonly filePath: string;
      /** The final text, the user's edits included. */
      readonly content: string;
    }
  | { readonly kind: "rejected"; readonly filePath: string };
