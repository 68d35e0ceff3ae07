import {
  type CodeAction,
  type CodeActionContext,
  CodeActionTriggerKind,
  type Command,
  type Range,
} from "vscode-languageserver";
import { agents } from "../../../agents/agents.ts";
import type { CompanionStatus } from "../../../core/status.ts";
import { commands, ownKind, toAction, toActions, toLenses, toShowActions } from "./marks.ts";
import type { PlainParts } from "./parts.ts";

/** Answers what can be done at a place: decide in a proposal, share a selection everywhere else, and see what waits. */
export function answerActions(parts: PlainParts): void {
  const { client, connection, documents, controller, written, listed, status } = parts;
  connection.onCodeAction(({ textDocument, range, context }) => {
    documents.look(textDocument.uri, range);
    const document = documents.find(textDocument.uri);
    const reviewed = document && controller.at(document.path);
    const actions = (document && listed.actions(document, range)) ?? [
      ...(reviewed ? toActions(reviewed, range) : []),
      ...(document && !reviewed && isAsked(context) ? written.actions(document, range) : []),
      ...(isAsked(context) && !reviewed ? [shareAction(textDocument.uri, range)] : []),
      ...(isAsked(context) ? toShowActions(controller.waiting.filter((other) => other !== reviewed)) : []),
    ];
    const wanted = actions.filter(({ kind }) => isWanted(kind ?? "", context.only));
    return client.takesActionLiterals ? wanted : wanted.flatMap(toCommand);
  });

  function shareAction(uri: string, range: Range): CodeAction {
    const title = `Share selection with ${namesOfAgents(status())}`;
    return toAction(title, ownKind, commands.shareSelection, uri, range);
  }

  connection.onCodeLens(({ textDocument }) => {
    const document = documents.find(textDocument.uri);
    const reviewed = document && controller.at(document.path);
    return reviewed ? toLenses(reviewed) : [];
  });
}

/** Otherwise nobody wants a light bulb next to every line. */
const isAsked = ({ triggerKind }: CodeActionContext) => triggerKind !== CodeActionTriggerKind.Automatic;

/** Those that are connected; as long as none is, those that may be. */
export function namesOfAgents(status: CompanionStatus): string {
  const connected = status.sessions.map(({ agent }) => agent);
  const connecting = agents.filter(({ contextOnly }) => !contextOnly);
  const names = connected.length > 0 ? connected : connecting.map(({ displayName }) => displayName);
  return names.join(" / ");
}

/** A kind fits itself and every wider one: `source` takes `source.ide-companion`. */
function isWanted(kind: string, only: readonly string[] | undefined): boolean {
  return (
    only === undefined || only.some((wide) => wide === "" || kind === wide || kind.startsWith(`${wide}.`))
  );
}

/** For editors that take nothing else; what is an edit alone has its command as well. */
const toCommand = ({ command }: CodeAction): Command[] => (command ? [command] : []);
