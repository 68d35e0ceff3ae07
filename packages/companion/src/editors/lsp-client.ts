/** What an editor's LSP client does that its capabilities do not say. Seen, each of them, in the version named, or documented. */
export interface LspClient {
  /** How it names itself, in lower case. */
  readonly names: readonly string[];
  /** The product's name in the version that it sends; undefined for the version of another client. */
  findProduct?(version: string): string | undefined;
  /** Opens documents although it does not say so. */
  readonly showsDocuments?: boolean;
  /** A message with choices takes the keyboard away from the user at once. */
  readonly choicesAreModal?: boolean;
  /** The terminal does what a text tells it: clears the screen, sets titles and clipboards. */
  readonly sendsControls?: boolean;
  /** What it sends in one moment comes in any order. */
  readonly overtakes?: boolean;
  /** It offers choices although it does not say so. */
  readonly offersChoices?: boolean;
  /** Never tells a selection of nothing: its cursor is a selection of one character. */
  readonly hasBlockCursor?: boolean;
  readonly keys?: Keys;
  /** It draws the messages of hints over the text. */
  readonly coversTextByHints?: boolean;
  /** Questions that we must not offer to answer, because our empty answer would be in the user's way. */
  readonly unwanted?: readonly Question[];
}

/** What editors ask about a place, and we answer with nothing. */
export type Question = "hover" | "signatureHelp" | "documentHighlight" | "inlayHint" | "selectionRange";

/** What the user of an editor types for what we cannot do. */
export interface Keys {
  /** Opens the menu of actions. */
  readonly actions: string;
  /** Shows what a hover has. */
  readonly hover: string;
  /** Closes a document that is decided: the editor lets nobody else do it. */
  readonly close: string;
  /** Loads what the agent has written. */
  readonly reload: string;
}
