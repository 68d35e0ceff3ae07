import { randomUUID } from "node:crypto";
import type { Comment } from "ide-companion";
import * as vscode from "vscode";
import { commands, l10n, window, workspace } from "vscode";
import { onCommand } from "../commands.ts";
import { inform } from "../messages.ts";
import type { OpenProposal } from "./open-proposal.ts";
import { scheme } from "./proposal-documents.ts";
import type { Proposals } from "./proposals.ts";

/** As the menus of the manifest name it. */
const controllerId = "ideCompanion";

/** VS Code's own command: it opens an empty thread at the selection of the active editor. */
const startThread = "workbench.action.addComment";

/** One comment in its thread. VS Code passes it to the commands of its menus. */
class ThreadComment implements vscode.Comment {
  readonly id: string;
  readonly thread: vscode.CommentThread;
  readonly author = { name: l10n.t("You") };
  /** The menus ask for it. */
  readonly contextValue = "comment";
  body: string;
  /** The text before the user began to edit it. */
  saved: string;
  mode = vscode.CommentMode.Preview;

  constructor(thread: vscode.CommentThread, body: string, id: string = randomUUID()) {
    this.id = id;
    this.thread = thread;
    this.body = body;
    this.saved = body;
  }
}

/** Lets the user write comments on lines of proposals, by VS Code's own comment threads. */
export class ProposalComments implements vscode.Disposable {
  readonly #proposals: Proposals;
  readonly #controller = vscode.comments.createCommentController(controllerId, "IDE Companion");
  readonly #subscriptions: vscode.Disposable;
  /** Threads that have a comment, by the URI of the proposed side. */
  readonly #threads = new Map<string, Set<vscode.CommentThread>>();

  constructor(proposals: Proposals) {
    this.#proposals = proposals;
    this.#controller.options = {
      prompt: l10n.t("Say why"),
      placeHolder: l10n.t("What the agent is to hear with your decision"),
    };
    this.#controller.commentingRangeProvider = {
      provideCommentingRanges: (document) =>
        proposals.at(document.uri) ? [new vscode.Range(0, 0, Math.max(document.lineCount - 1, 0), 0)] : [],
    };
    this.#subscriptions = vscode.Disposable.from(
      this.#controller,
      ...this.#registerCommands(),
      workspace.onDidChangeTextDocument((change) => this.#follow(change)),
      proposals.onChange(() => this.#keepOpen()),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #registerCommands(): vscode.Disposable[] {
    const on = (name: string, act: (comment: ThreadComment) => void) =>
      onCommand(name, (target: unknown) => {
        if (target instanceof ThreadComment) act(target);
      });
    return [
      onCommand("comment", () => commands.executeCommand(startThread)),
      onCommand("addComment", ({ thread, text }: vscode.CommentReply) => {
        thread.label = l10n.t("Comment");
        if (text.trim() !== "")
          this.#show(thread, [...thread.comments, new ThreadComment(thread, text.trim())]);
      }),
      on("saveComment", (comment) => this.#finish(comment)),
      on("editComment", (comment) => setMode(comment, vscode.CommentMode.Editing)),
      on("cancelComment", leaveEditing),
      on("deleteComment", (comment) => this.#remove(comment)),
    ];
  }

  #threadsOf(uri: vscode.Uri): Set<vscode.CommentThread> {
    return this.#threads.get(uri.toString()) ?? new Set();
  }

  #save(uri: vscode.Uri): void {
    const open = this.#proposals.at(uri);
    if (open) this.#proposals.setComments(open, [...this.#threadsOf(uri)].flatMap(toComments).sort(byLine));
  }

  #show(thread: vscode.CommentThread, shown: readonly vscode.Comment[]): void {
    thread.comments = shown;
    const own = this.#threadsOf(thread.uri);
    this.#threads.set(thread.uri.toString(), own);
    if (shown.length > 0) own.add(thread);
    else {
      own.delete(thread);
      thread.dispose();
    }
    this.#save(thread.uri);
  }

  /** A comment counts with a text only. */
  #finish(comment: ThreadComment): void {
    const text = comment.body.trim();
    if (text === "") this.#remove(comment);
    else {
      comment.saved = text;
      leaveEditing(comment);
      this.#save(comment.thread.uri);
    }
  }

  #remove(comment: ThreadComment): void {
    const { thread } = comment;
    this.#show(
      thread,
      thread.comments.filter((one) => one !== comment),
    );
  }

  /** Keeps comments on the lines on which they were written. */
  #follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const own = this.#threadsOf(document.uri);
    if (document.uri.scheme !== scheme || own.size === 0 || contentChanges.length === 0) return;
    for (const thread of own) thread.range = contentChanges.reduce(moveRange, thread.range);
    this.#save(document.uri);
  }

  /** Shows the comments of exactly the proposals that are open. */
  #keepOpen(): void {
    const { all } = this.#proposals;
    const open = new Set(all.map(({ uri }) => uri.toString()));
    for (const [uri, own] of this.#threads) {
      if (open.has(uri)) continue;
      for (const thread of own) thread.dispose();
      this.#threads.delete(uri);
    }
    for (const one of all)
      if (one.change.comments.length > 0 && !this.#threads.has(one.uri.toString())) this.#showAgain(one);
  }

  /** Where the proposed side is another document now: Theia shows an own version as one. */
  #showAgain({ uri, change }: OpenProposal): void {
    const restored = change.comments.map(({ id, startLine, endLine, text }) => {
      const range = new vscode.Range(startLine - 1, 0, endLine - 1, 0);
      const thread = this.#controller.createCommentThread(uri, range, []);
      thread.label = l10n.t("Comment");
      thread.comments = [new ThreadComment(thread, text, id)];
      return thread;
    });
    this.#threads.set(uri.toString(), new Set(restored));
  }
}

/** Writes a thread's comments down, with their lines as they stand. */
function toComments(thread: vscode.CommentThread): readonly Comment[] {
  const document = workspace.textDocuments.find(({ uri }) => uri.toString() === thread.uri.toString());
  const { start, end } = thread.range ?? new vscode.Range(0, 0, 0, 0);
  const lines = document?.getText().split(/\r\n?|\n/) ?? [];
  const place = {
    side: "proposed",
    startLine: start.line + 1,
    endLine: end.line + 1,
    quote: lines.slice(start.line, end.line + 1).join("\n"),
  } as const;
  return thread.comments.flatMap((comment) =>
    comment instanceof ThreadComment ? [{ ...place, id: comment.id, text: comment.saved }] : [],
  );
}

const byLine = (one: Comment, other: Comment) => one.startLine - other.startLine;

/** Where a commented range stands after an edit: VS Code moves what it shows, and not what it reports. */
export function moveRange<Lines extends vscode.Range | undefined>(
  commented: Lines,
  { range, text }: Pick<vscode.TextDocumentContentChangeEvent, "range" | "text">,
): Lines | vscode.Range {
  if (!commented) return commented;
  const added = text.split("\n").length - 1 - (range.end.line - range.start.line);
  if (added === 0 || range.start.line > commented.end.line) return commented;
  // What begins within the commented lines grows or shrinks them.
  const isAbove = range.end.line < commented.start.line || isBefore(range.end, commented.start);
  const start = isAbove ? commented.start.line + added : Math.min(commented.start.line, range.start.line);
  return new vscode.Range(start, 0, Math.max(start, commented.end.line + added), 0);
}

/** At the very beginning of the commented lines. */
const isBefore = (end: vscode.Position, start: vscode.Position) =>
  end.line === start.line && end.character === 0;

function setMode(comment: ThreadComment, mode: vscode.CommentMode): void {
  comment.mode = mode;
  // VS Code shows a thread again when its list is another one.
  comment.thread.comments = [...comment.thread.comments];
}

function leaveEditing(comment: ThreadComment): void {
  comment.body = comment.saved;
  setMode(comment, vscode.CommentMode.Preview);
}

/** A decision is to carry comments, and there are none: opens an empty one at the cursor. */
export async function askForComment(open: OpenProposal): Promise<void> {
  inform(l10n.t("Comment on a line first. Your decision then carries all comments."));
  if (window.activeTextEditor?.document.uri.toString() === open.uri.toString())
    await commands.executeCommand(startThread);
}
