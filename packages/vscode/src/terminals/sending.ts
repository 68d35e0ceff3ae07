import type { Companion, Mention, PromptMessage } from "ide-companion";
import { isMentions, toPromptText } from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { commands, l10n, window } from "vscode";
import { toDiagnostic } from "../capabilities.ts";
import { onCommand } from "../commands.ts";
import { fileOf } from "../context/context-source.ts";
import { inform, warn } from "../messages.ts";
import { toMessage } from "../plain-text.ts";
import { nameOf } from "../workspace.ts";
import type { AgentTerminals } from "./agent-terminals.ts";

/** How long the status bar says where a message went, in milliseconds. */
const messageTime = 5000;

/** The command of the quick fix, which passes a URI and its diagnostics. */
const sendProblems = "ideCompanion.sendProblems";

type Terminals = Pick<AgentTerminals, "isRunning" | "showOf" | "type">;

export interface SendingOptions extends Pick<Companion, "send"> {
  readonly terminals: Terminals;
  /** An agent is connected. */
  readonly isConnected: () => boolean;
}

/** Registers the commands that put files, lines, diagnostics and words into an agent's prompt. */
export function registerSending({ send, terminals, isConnected }: SendingOptions): vscode.Disposable {
  async function deliver(message: PromptMessage): Promise<void> {
    const options = { location: vscode.ProgressLocation.Window, title: l10n.t("Sending to the agent…") };
    const sent = await window.withProgress(options, () => send(message));
    switch (sent.kind) {
      case "sent":
        // It may run in a terminal of this window, or elsewhere.
        terminals.showOf(sent.agent);
        return void window.setStatusBarMessage(describe(message, sent.agent), messageTime);
      case "paused":
        return inform(l10n.t("Sharing is paused: the agents receive no files."));
      case "excluded":
        return warn(l10n.t("{0} is kept from agents, and was not sent.", nameOf(sent.path)));
      case "unreached":
        return typeOrCopy(message, sent.busy, terminals);
    }
  }
  const sendFiles = async (paths: readonly string[]) => {
    if (paths.length > 0) await deliver({ mentions: paths.map((path) => ({ path })) });
  };

  return vscode.Disposable.from(
    onCommand("sendFile", () => {
      // A picture or a notebook has no text editor.
      const { activeTab } = window.tabGroups.activeTabGroup;
      const path = activeTab && fileOf(activeTab);
      return sendFiles(path === undefined ? [] : [path]);
    }),
    // The Explorer passes the file that was clicked, and all that are selected.
    onCommand("sendFiles", (clicked: unknown, selected: unknown) =>
      sendFiles(
        (Array.isArray(selected) ? selected : [clicked])
          .filter((one) => one instanceof vscode.Uri)
          .flatMap(({ scheme, fsPath }) => (scheme === "file" ? fsPath : [])),
      ),
    ),
    onCommand("sendSelection", async () => {
      const uri = activeUri();
      if (uri?.scheme === "file") await deliver({ mentions: [{ path: uri.fsPath, ...selectedLines() }] });
    }),
    onCommand("sendText", async () => {
      const title = l10n.t("What the agent’s prompt is to hold");
      const text = await window.showInputBox({ title, ignoreFocusOut: true });
      if (text?.trim()) await deliver({ text });
    }),
    registerProblems(deliver, () => isConnected() || terminals.isRunning),
  );
}

/**
 * No agent takes it in a message: types it into an agent's terminal, or else copies it.
 * @param busy the agent, for people, whose prompt holds a text of the user's: what is typed would go into that text
 */
async function typeOrCopy(
  message: PromptMessage,
  busy: string | undefined,
  terminals: Terminals,
): Promise<void> {
  const toText = (folder: string | undefined) => toPromptText(message, folder);
  const text = toPromptText(message);
  if (text === undefined) return warn(l10n.t("The name of a file holds control characters."));
  if (busy === undefined && terminals.type(toText, { isSafe: isMentions(message) })) return;
  await vscode.env.clipboard.writeText(text);
  inform(
    busy === undefined
      ? l10n.t("No agent’s prompt can be reached. It is on the clipboard: paste it into the prompt.")
      : l10n.t("The prompt of {0} is not empty: it is on the clipboard.", busy),
  );
}

/** Registers the command and the quick fix that send what compilers and linters have found in a file. */
function registerProblems(
  deliver: (message: PromptMessage) => Promise<void>,
  isOffered: () => boolean,
): vscode.Disposable {
  const { languages } = vscode;
  return vscode.Disposable.from(
    commands.registerCommand(
      sendProblems,
      async (uri = activeUri(), found?: readonly vscode.Diagnostic[]) => {
        if (!(uri instanceof vscode.Uri) || uri.scheme !== "file") return;
        const diagnostics = (found ?? languages.getDiagnostics(uri)).map((one) =>
          toDiagnostic(uri.fsPath, one),
        );
        if (diagnostics.length > 0) await deliver({ diagnostics });
        else inform(l10n.t("No problem was found in this file."));
      },
    ),
    languages.registerCodeActionsProvider(
      { scheme: "file" },
      {
        provideCodeActions({ uri }, _range, { diagnostics }) {
          if (diagnostics.length === 0 || !isOffered()) return [];
          const title = l10n.t("Send to agent");
          const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
          action.diagnostics = [...diagnostics];
          action.command = { title, command: sendProblems, arguments: [uri, diagnostics] };
          return [action];
        },
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}

const activeUri = () => window.activeTextEditor?.document.uri;

function describe(message: PromptMessage, agent: string): string {
  return isMentions(message)
    ? l10n.t("The prompt of {0} has the reference.", toMessage(agent))
    : l10n.t("The prompt of {0} has it: press Enter there to send it.", toMessage(agent));
}

/** Whole lines. A selection that ends at the start of a line does not include that line. */
function selectedLines(): Pick<Mention, "lines"> {
  const selection = window.activeTextEditor?.selection;
  if (!selection || selection.isEmpty) return {};
  const { start, end } = selection;
  return { lines: { first: start.line + 1, last: end.character === 0 ? end.line : end.line + 1 } };
}
