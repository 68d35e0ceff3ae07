import type { InitializeParams } from "vscode-languageserver";
import { z } from "zod";
import type { EditorInfo } from "../../core/editor.ts";
import type { LspClient } from "../../editors/editor-record.ts";
import { editors } from "../../editors/editors.ts";

/** What we know of the editor at the other end, from its `initialize`. */
export interface Client
  extends Omit<
    LspClient,
    "names" | "findProduct" | "choicesAreModal" | "showsDocuments" | "appliesEdits" | "offersChoices"
  > {
  readonly info: EditorInfo;
  /** The editor's process; undefined when it does not say. */
  readonly pid: number | undefined;
  /** What its plugin does, which speaks our own messages; undefined where it has none. */
  readonly plugin: Announced | undefined;
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
}

/** What a plugin announces that it can besides diffs. */
const Announced = z.object({
  version: z.int().min(1),
  /** Shows files when asked to, by `companion/openFile`. */
  openFile: z.boolean().optional(),
  /** Tells what language servers have found, by `companion/diagnostics`. */
  diagnostics: z.boolean().optional(),
  /** Reads the editor's terminals, and types in them, by `companion/readTerminal` and `companion/typeInTerminal`. */
  terminals: z.boolean().optional(),
  /** Shows comments of other views, which come by `companion/comments`. */
  comments: z.boolean().optional(),
  /** Its folders are where its user works: the repository of each is meant. */
  repositories: z.boolean().optional(),
});
type Announced = z.infer<typeof Announced>;

/** What a user may set for an editor that does not say who it is, as Kate does not. */
const Options = z.object({ editor: z.string() });

/** Reads what a client says of itself; pure. */
export function toClient(params: InitializeParams): Client {
  const { clientInfo, capabilities, processId, initializationOptions } = params;
  const given = clientInfo?.name ?? Options.safeParse(initializationOptions).data?.editor ?? "";
  const { displayName, trait } = recognise(given, clientInfo?.version);
  const { window, workspace, textDocument } = capabilities;
  const resourceOperations = workspace?.workspaceEdit?.resourceOperations ?? [];
  const plugin = Announced.safeParse(capabilities.experimental?.ideCompanion).data;
  const choices = window?.showMessage?.messageActionItem !== undefined || trait.offersChoices === true;
  return {
    ...trait,
    info: toEditorInfo(displayName),
    pid: processId ?? undefined,
    plugin,
    showsDocuments: window?.showDocument?.support === true || trait.showsDocuments === true,
    appliesEdits: workspace?.applyEdit === true || trait.appliesEdits === true,
    deletesFiles: workspace?.applyEdit === true && resourceOperations.includes("delete"),
    offersChoices: choices && trait.choicesAreModal !== true,
    takesActionLiterals: textDocument?.codeAction?.codeActionLiteralSupport !== undefined,
  };
}

/** What is known of an editor that names itself so. */
function recognise(name: string, version = ""): { displayName: string; trait: Omit<LspClient, "names"> } {
  for (const { lsp } of editors) {
    const product = lsp?.findProduct?.(version);
    if (lsp && product !== undefined) return { displayName: product, trait: lsp };
  }
  const record = editors.find(({ lsp }) => lsp?.names.includes(name.toLowerCase()));
  return { displayName: record?.displayName ?? name, trait: record?.lsp ?? {} };
}

/** `Visual Studio` becomes `visual-studio`; an editor without a name is just one. */
function toEditorInfo(displayName: string): EditorInfo {
  if (displayName === "") return { name: "editor", displayName: "Editor" };
  const name = displayName.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  return { name, displayName };
}
