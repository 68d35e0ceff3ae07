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
  /** It speaks our own messages: the plugin tier. */
  readonly isPlugin: boolean;
  /** Its plugin shows files when asked to, by `companion/openFile`. */
  readonly opensFiles: boolean;
  /** Its plugin tells what language servers have found, by `companion/diagnostics`. */
  readonly tellsDiagnostics: boolean;
  /** Its plugin reads its terminals, and types in them, by `companion/readTerminal` and `companion/typeInTerminal`. */
  readonly hasTerminals: boolean;
  /** Its plugin shows comments of other views, which come by `companion/comments`. */
  readonly showsComments: boolean;
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

const Announcement = z.object({
  ideCompanion: z.object({
    version: z.int().min(1),
    openFile: z.boolean().optional(),
    diagnostics: z.boolean().optional(),
    terminals: z.boolean().optional(),
    comments: z.boolean().optional(),
  }),
});

/** What a user may set for an editor that does not say who it is, as Kate does not. */
const Options = z.object({ editor: z.string() });

/** Reads what a client says of itself; pure. */
export function toClient(params: InitializeParams): Client {
  const { clientInfo, capabilities, processId, initializationOptions } = params;
  const given = clientInfo?.name ?? Options.safeParse(initializationOptions).data?.editor ?? "";
  const { displayName, trait } = recognise(given, clientInfo?.version);
  const { window, workspace, textDocument } = capabilities;
  const resourceOperations = workspace?.workspaceEdit?.resourceOperations ?? [];
  const plugin = Announcement.safeParse(capabilities.experimental).data?.ideCompanion;
  const choices = window?.showMessage?.messageActionItem !== undefined || trait.offersChoices === true;
  return {
    ...trait,
    info: toEditorInfo(displayName),
    pid: processId ?? undefined,
    isPlugin: plugin !== undefined,
    opensFiles: plugin?.openFile === true,
    tellsDiagnostics: plugin?.diagnostics === true,
    hasTerminals: plugin?.terminals === true,
    showsComments: plugin?.comments === true,
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
