import type { InitializeParams } from "vscode-languageserver";
import { z } from "zod";
import type { EditorInfo } from "../../core/editor.ts";

/** What we know of the editor at the other end, from its `initialize`. */
export interface Client {
  readonly info: EditorInfo;
  /** The editor's process; undefined when it does not say. */
  readonly pid: number | undefined;
  /** It speaks our own messages: the plugin tier. */
  readonly isPlugin: boolean;
  /** Its plugin shows files when asked to, by `companion/openFile`. */
  readonly opensFiles: boolean;
  /** Its plugin tells what language servers have found, by `companion/diagnostics`. */
  readonly tellsDiagnostics: boolean;
  /** It opens documents when asked to. */
  readonly showsDocuments: boolean;
  /** It edits documents when asked to. */
  readonly appliesEdits: boolean;
  /** It deletes files, and closes their documents, when asked to. */
  readonly deletesFiles: boolean;
  /** It offers the actions of a message as choices, and does not stop the user's typing for them. */
  readonly offersChoices: boolean;
  /** It takes code actions that hold an edit, not commands alone. */
  readonly takesActionLiterals: boolean;
  /** Its cursor covers a character, and goes along with a question as a selection of that. */
  readonly hasBlockCursor: boolean;
  /** It sends a document's text to the terminal as it is, control characters included. */
  readonly sendsControls: boolean;
  /** What it sends may overtake what it has sent before. */
  readonly overtakes: boolean;
  /** What its user types, where messages can name it. */
  readonly keys: Keys | undefined;
  /** It draws the messages of hints over the text: ours have none, and a hover tells instead. */
  readonly coversTextByHints: boolean;
  /** Questions that we must not offer to answer, because our empty answer would be in the user's way. */
  readonly unwanted: readonly Question[];
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

/** What single editors do that their capabilities do not tell. Seen, each of them, in the version named, or documented. */
interface Trait {
  readonly displayName?: string;
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
  readonly coversTextByHints?: boolean;
  readonly unwanted?: readonly Question[];
}

const traits: Readonly<Record<string, Trait>> = {
  // 0.10; it says "No information available" although another server has answered.
  neovim: { choicesAreModal: true, unwanted: ["hover", "signatureHelp"] },
  // 25.01; of several servers it asks but the first that offers to answer.
  helix: {
    displayName: "Helix",
    showsDocuments: true,
    hasBlockCursor: true,
    sendsControls: true,
    overtakes: true,
    keys: { actions: "space a", hover: "space k", close: ":bc!", reload: ":rla" },
    coversTextByHints: true,
    unwanted: ["signatureHelp", "documentHighlight", "inlayHint"],
  },
  eglot: { displayName: "Emacs", choicesAreModal: true }, // 1.12
  emacs: { displayName: "Emacs", choicesAreModal: true }, // lsp-mode
};

/**
 * The version that LSP4IJ tells, `GoLand (build GO-241.18034.61)`: the name is `IntelliJ` in older ones whichever IDE it is. It
 * has shown buttons in balloons since May 2024, and says so since October 2025.
 * @see https://github.com/redhat-developer/lsp4ij/issues/1247
 * @see https://github.com/redhat-developer/lsp4ij/pull/282
 * @see https://github.com/redhat-developer/lsp4ij/pull/1308
 */
const jetBrains = /^(.+) \(build [A-Z]+-[\d.]+\)$/;

/** What is known of an editor that names itself so. */
function traitOf(name: string, version = ""): Trait {
  const [, displayName] = jetBrains.exec(version) ?? [];
  return displayName === undefined
    ? (traits[name.toLowerCase()] ?? {})
    : { displayName, offersChoices: true };
}

const Announcement = z.object({
  ideCompanion: z.object({
    version: z.int().min(1),
    openFile: z.boolean().optional(),
    diagnostics: z.boolean().optional(),
  }),
});

/** What a user may set for an editor that does not say who it is, as Kate does not. */
const Options = z.object({ editor: z.string() });

/** Reads what a client says of itself; pure. */
export function toClient(params: InitializeParams): Client {
  const { clientInfo, capabilities, processId, initializationOptions } = params;
  const given = clientInfo?.name ?? Options.safeParse(initializationOptions).data?.editor ?? "";
  const trait = traitOf(given, clientInfo?.version);
  const { window, workspace, textDocument } = capabilities;
  const resourceOperations = workspace?.workspaceEdit?.resourceOperations ?? [];
  const plugin = Announcement.safeParse(capabilities.experimental).data?.ideCompanion;
  const choices = window?.showMessage?.messageActionItem !== undefined || trait.offersChoices === true;
  return {
    info: toEditorInfo(trait.displayName ?? given),
    pid: processId ?? undefined,
    isPlugin: plugin !== undefined,
    opensFiles: plugin?.openFile === true,
    tellsDiagnostics: plugin?.diagnostics === true,
    showsDocuments: window?.showDocument?.support === true || trait.showsDocuments === true,
    appliesEdits: workspace?.applyEdit === true,
    deletesFiles: workspace?.applyEdit === true && resourceOperations.includes("delete"),
    offersChoices: choices && trait.choicesAreModal !== true,
    takesActionLiterals: textDocument?.codeAction?.codeActionLiteralSupport !== undefined,
    hasBlockCursor: trait.hasBlockCursor === true,
    sendsControls: trait.sendsControls === true,
    overtakes: trait.overtakes === true,
    keys: trait.keys,
    coversTextByHints: trait.coversTextByHints === true,
    unwanted: trait.unwanted ?? [],
  };
}

/** `Visual Studio` becomes `visual-studio`; an editor without a name is just one. */
function toEditorInfo(displayName: string): EditorInfo {
  if (displayName === "") return { name: "editor", displayName: "Editor" };
  const name = displayName.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  return { name, displayName };
}
