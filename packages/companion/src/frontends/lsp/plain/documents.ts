import type {
  Connection,
  DidChangeTextDocumentParams,
  Position as LspPosition,
  Range,
  TextDocumentItem,
} from "vscode-languageserver";
import { z } from "zod";
import type { EditorContext, EditorFile, Position } from "../../../core/editor.ts";
import type { Client } from "../client.ts";
import { toFilePath } from "../file-uri.ts";
import { describeIssues } from "../notifier.ts";
import { OpenDocument } from "./document.ts";

export interface DocumentsOptions {
  readonly connection: Connection;
  /** Whether a path is ours, as a proposal's is: not what the user works at. */
  readonly isOurs: (path: string) => boolean;
  readonly client: Pick<Client, "hasBlockCursor" | "overtakes" | "returnsEndNoLines">;
  /** The user's files, or what they look at in them, have changed. */
  readonly onContext: (context: EditorContext) => void;
  /** The user has saved a file. */
  readonly onSaved: (path: string) => void;
  /** A file of the user's was opened. */
  readonly onFile: (path: string) => void;
  /** A document of ours was opened, edited or closed. */
  readonly onOurs: (document: OpenDocument, what: "opened" | "edited" | "closed") => void;
  /** What the editor has sent cannot be used, and why: for the log. */
  readonly onFault: (message: string) => void;
  readonly now?: () => number;
}

const SentPosition = z.object({ line: z.int().min(0), character: z.int().min(0) });

/** What an editor sends as a range. */
export const SentRange = z.object({ start: SentPosition, end: SentPosition });

/** So many files are sent, the latest ones: agents read ten, and some may be on no disk. */
const mostFiles = 50;

/** Every document that is open in the editor, and which of them the user looks at. */
export class Documents {
  readonly #options: Required<DocumentsOptions>;
  /** The one that the user looked at last comes last. */
  readonly #byPath = new Map<string, OpenDocument>();
  /** When the user's last key was seen, by a clock that nobody sets. */
  #keyAt = Number.NEGATIVE_INFINITY;

  constructor(options: DocumentsOptions) {
    this.#options = { now: Date.now, ...options };
    const { connection, client } = options;
    const asTheyCome = {
      opened: (document: TextDocumentItem) => this.#open(document),
      changed: (change: DidChangeTextDocumentParams) => this.#edit(change),
      closed: (uri: string) => this.#close(uri),
    };
    const { opened, changed, closed } = client.overtakes ? putInOrder(asTheyCome) : asTheyCome;
    connection.onDidOpenTextDocument(({ textDocument }) => opened(textDocument));
    connection.onDidChangeTextDocument(changed);
    connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
      this.focus(uri);
      const document = this.find(uri);
      if (document && !options.isOurs(document.path)) options.onSaved(document.path);
    });
    connection.onDidCloseTextDocument(({ textDocument }) => closed(textDocument.uri));
  }

  get context(): EditorContext {
    const own = [...this.#byPath.values()].filter(({ path }) => !this.#options.isOurs(path));
    const files = own.slice(-mostFiles).reverse().map(toEditorFile);
    const [newest] = files;
    return { files, ...(newest && { activePath: newest.path }) };
  }

  /** Milliseconds since the user's last key, as far as the editor tells of keys. */
  get idleFor(): number {
    return performance.now() - this.#keyAt;
  }

  /** The document that the user looked at last, ours included. */
  get latest(): OpenDocument | undefined {
    return [...this.#byPath.values()].at(-1);
  }

  /** @param uri as the editor writes it */
  find(uri: string): OpenDocument | undefined {
    const path = toFilePath(uri);
    return path === undefined ? undefined : this.#byPath.get(path);
  }

  at(path: string): OpenDocument | undefined {
    return this.#byPath.get(path);
  }

  /** The user has asked for something about this document. */
  focus(uri: string): void {
    const document = this.find(uri);
    if (document) this.#attend(document);
  }

  /** The user has asked for something about this place or this selection. */
  look(uri: string, range: Range): void {
    const document = this.find(uri);
    if (!document || this.#isBroken("a place", range)) return;
    this.#keyAt = performance.now();
    document.look(this.#options.client.hasBlockCursor ? document.uncover(range) : range);
    this.#attend(document);
  }

  #open(given: TextDocumentItem): void {
    const path = toFilePath(given.uri);
    if (path === undefined) return; // on no disk: nothing that an agent could open
    const { client, now } = this.#options;
    const document = new OpenDocument(path, given, now(), !client.returnsEndNoLines);
    if (!this.#options.isOurs(path)) this.#options.onFile(path);
    this.#attend(document, "opened");
  }

  #edit({ textDocument: { uri, version }, contentChanges }: DidChangeTextDocumentParams): void {
    const document = this.find(uri);
    if (!document) return;
    if (contentChanges.some((change) => "range" in change && this.#isBroken("a change", change.range)))
      return;
    document.edit(contentChanges, version ?? document.version + 1);
    this.#keyAt = performance.now();
    this.#attend(document, "edited");
  }

  /** An editor's mistake must not become what agents believe. */
  #isBroken(what: string, range: unknown): boolean {
    // The LSP library checks no parameters.
    const { error } = SentRange.safeParse(range);
    if (error)
      this.#options.onFault(`The editor has sent ${what} that was dropped: ${describeIssues(error)}.`);
    return error !== undefined;
  }

  #close(uri: string): void {
    const document = this.find(uri);
    if (!document) return;
    const isOurs = this.#options.isOurs(document.path);
    if (isOurs) this.#options.onOurs(document, "closed"); // while its text is known
    this.#byPath.delete(document.path);
    if (!isOurs) this.#options.onContext(this.context);
  }

  #attend(document: OpenDocument, what?: "opened" | "edited"): void {
    const { latest } = this;
    // Two documents within a millisecond: the later one counts.
    document.focusedAt = Math.max(this.#options.now(), (latest?.focusedAt ?? 0) + 1);
    this.#byPath.delete(document.path);
    this.#byPath.set(document.path, document);
    if (!this.#options.isOurs(document.path)) this.#options.onContext(this.context);
    else if (what !== undefined) this.#options.onOurs(document, what);
  }
}

function toEditorFile({ path, focusedAt, cursor, selectedText, selection }: OpenDocument): EditorFile {
  return {
    path,
    focusedAt,
    ...(cursor && { cursor: fromLsp(cursor) }),
    ...(selectedText !== "" && { selectedText }),
    ...(selection && { selection: { start: fromLsp(selection.start), end: fromLsp(selection.end) } }),
  };
}

/** LSP counts from 0. */
const fromLsp = ({ line, character }: LspPosition): Position => ({
  line: line + 1,
  character: character + 1,
});

/** What an editor tells of its documents. */
interface DocumentListener {
  opened(document: TextDocumentItem): void;
  changed(change: DidChangeTextDocumentParams): void;
  closed(uri: string): void;
}

/** So much later than what was sent after it a message may come, in milliseconds. */
const lateness = 1000;

/**
 * Tells in the right order what an editor tells in any: Helix 25.01 on a busy machine sends that a file was closed before
 * it sends that it was opened, if both were done in one moment. Of changes their versions tell the order.
 */
export function putInOrder(listener: DocumentListener, now: () => number = Date.now): DocumentListener {
  const open = new Set<string>();
  /** What has come before its document: a change, or that it was closed. Forgotten by and by. */
  let early: { readonly uri: string; readonly at: number; readonly change?: DidChangeTextDocumentParams }[] =
    [];
  const isRecent = ({ at }: { readonly at: number }) => at > now() - lateness;
  const keep = (uri: string, change?: DidChangeTextDocumentParams) => {
    early = [...early.filter(isRecent), { uri, at: now(), ...(change && { change }) }];
  };

  function closed(uri: string): void {
    if (open.delete(uri)) listener.closed(uri);
    else keep(uri);
  }

  return {
    opened(document) {
      const { uri, version } = document;
      open.add(uri);
      listener.opened(document);
      const own = early.filter((one) => one.uri === uri && isRecent(one));
      early = early.filter((one) => one.uri !== uri);
      for (const { change } of own) {
        // The others are in the text that was sent.
        if (change && change.textDocument.version > version) listener.changed(change);
      }
      if (own.some(({ change }) => !change)) closed(uri);
    },
    changed(change) {
      const { uri } = change.textDocument;
      if (open.has(uri)) listener.changed(change);
      else keep(uri, change);
    },
    closed,
  };
}
