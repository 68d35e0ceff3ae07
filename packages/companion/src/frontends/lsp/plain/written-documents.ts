import { basename } from "node:path";
import { type CodeAction, CodeActionKind, type Range } from "vscode-languageserver";
import { z } from "zod";
import { countLines } from "../../../core/hunks.ts";
import { safeName, safeText } from "../../../files/safe-text.ts";
import type { PathLabels } from "../../../files/workspace-path.ts";
import { toTextEdits } from "../../protocol/buffer-edits.ts";
import type { StoredLists } from "../../protocol/lists.ts";
import { refuse } from "../../protocol/stored-list.ts";
import { HunksFollower, type PlacedHunk } from "../../protocol/written-hunks.ts";
import type { DecideHunks } from "../../protocol/written-messages.ts";
import type { TierOptions } from "../tier.ts";
import { isOnDisk, type OpenDocument } from "./document.ts";
import type { Documents } from "./documents.ts";
import { rangeOf, touches } from "./hunks.ts";
import { type Commands, commands, hint, ownKind, quote, toAction, toHoverText } from "./marks.ts";
import type { Staging } from "./staging.ts";

interface WrittenDocumentsOptions extends TierOptions {
  readonly labels: PathLabels;
  readonly lists: StoredLists;
  readonly documents: Documents;
  readonly staging: Staging;
}

/** Of quiet before the marks follow what was typed, in milliseconds. */
const typing = 150;

/** Files that an action leads to from others; more would fill the menu. */
const mostFiles = 5;

const Chosen = z.tuple([z.string(), z.string(), z.array(z.string())]);

/** What agents wrote in the user's documents: hints mark it there, and actions keep or revert it. */
export class WrittenDocuments {
  readonly #options: WrittenDocumentsOptions;
  readonly #follower: HunksFollower;
  readonly #lists: StoredLists;
  /** Files with something to look at: agents and paths. */
  #files: readonly { readonly agent: string; readonly filePath: string }[] = [];
  #marking: NodeJS.Timeout | undefined;

  constructor(options: WrittenDocumentsOptions) {
    const { labels, lists, started } = options;
    this.#options = options;
    this.#lists = lists;
    this.#follower = new HunksFollower({
      ...{ labels, started, onWritten: () => {} },
      onHunks: ({ filePath }) => {
        this.#mark(filePath);
        void this.list();
      },
    });
  }

  /** @param paths of all documents of the user's; the marks of the latest one follow its text */
  follow(paths: readonly string[]): void {
    this.#follower.open(paths);
    const path = this.#options.documents.latest?.path;
    clearTimeout(this.#marking);
    if (path === undefined || this.#follower.revisionOf(path) === undefined) return;
    this.#marking = setTimeout(() => this.#mark(path), typing).unref();
  }

  /** What can be done at a place, or from there. */
  actions({ path }: OpenDocument, range: Range): CodeAction[] {
    const touched = this.#placedIn(path).filter(({ hunk }) => touches(hunk, range));
    const [first] = touched;
    const others = this.#files.filter(({ filePath }) => filePath !== path).slice(0, mostFiles);
    const shows = others.map(({ agent, filePath }) => {
      const title = `Show what ${agent} wrote in ${safeName(basename(filePath))}`;
      return toAction(title, ownKind, commands.showWritten, filePath);
    });
    if (!first) return shows;
    const { agent, turn } = first.written;
    const chosen = [path, this.#follower.revisionOf(path), touched.map(({ written }) => written.id)];
    const fix = CodeActionKind.QuickFix;
    return [
      toAction(`Keep this change of ${agent}`, fix, commands.keepWritten, ...chosen),
      toAction(`Revert this change of ${agent}`, fix, commands.revertWritten, ...chosen),
      toAction(`Keep all of this turn of ${agent}`, fix, commands.keepTurn, turn),
      toAction(`Revert all of this turn of ${agent}`, fix, commands.revertTurn, turn),
      ...shows,
    ];
  }

  /** What a change at a place replaces, for a hover. */
  hover({ path }: OpenDocument, position: Range["start"]): string | undefined {
    return toHoverText(
      { hunks: this.#placedIn(path).map(({ hunk }) => hunk), original: { text: "" } },
      position,
    );
  }

  get commands(): Commands {
    return {
      [commands.keepWritten]: (given) => this.#decide("keep", given),
      [commands.revertWritten]: (given) => this.#decide("revert", given),
      [commands.keepTurn]: ([turn]) => this.#decideTurn("keep", turn),
      [commands.revertTurn]: ([turn]) => this.#decideTurn("revert", turn),
      [commands.showWritten]: ([path]) => this.#show(path),
    };
  }

  close(): void {
    clearTimeout(this.#marking);
    this.#follower.close();
  }

  /** The files with something to look at are others. */
  async list(): Promise<void> {
    const records = await this.#lists.records("written");
    const isFirst = ({ filePath }: (typeof records)[number], index: number) =>
      records.findIndex((other) => other.filePath === filePath) === index;
    this.#files = records.filter(({ kind }) => kind !== "deleted").filter(isFirst);
  }

  #mark(path: string): void {
    const { client, documents, notifier } = this.#options;
    const document = documents.at(path);
    if (!document) return;
    const diagnostics = this.#placedIn(path).map(({ hunk, written }) => {
      const message = safeText(`${written.agent} wrote ${countLines([hunk])}`) + quote(hunk);
      return hint(rangeOf(hunk), client.coversTextByHints ? "" : message);
    });
    const { uri, version } = document;
    notifier.notify("textDocument/publishDiagnostics", { uri, version, diagnostics });
  }

  #placedIn(path: string): readonly PlacedHunk[] {
    const document = this.#options.documents.at(path);
    return document ? this.#follower.placedIn(path, document.text) : [];
  }

  /** About the hunks that are given, or those at the cursor. */
  async #decide(action: DecideHunks["action"], given: readonly unknown[]): Promise<void> {
    const { documents, staging, client } = this.#options;
    const [filePath, revision, ids] = Chosen.safeParse(given).data ?? this.#atCursor();
    const document = documents.at(filePath);
    const isSaved = document === undefined || isOnDisk(document);
    const inEditor = action === "revert" && document && (client.appliesEdits || !isSaved);
    const content = inEditor ? document.text : undefined;
    const decided = await this.#follower.decide({ filePath, revision, ids }, action, content);
    if (!document || !decided.edits) return;
    if (document.text !== content) refuse("The document has changed meanwhile: try again.");
    const edits = toTextEdits(document.text, decided);
    await staging.edit("Revert this change", { changes: { [document.uri]: edits } });
  }

  #atCursor(): z.infer<typeof Chosen> {
    const { path = "", cursor = { line: 0, character: 0 } } = this.#options.documents.latest ?? {};
    const touched = this.#placedIn(path).filter(({ hunk }) => touches(hunk, { start: cursor, end: cursor }));
    if (touched.length === 0) refuse("No agent has written in this line, or you have kept it.");
    return [path, this.#follower.revisionOf(path) ?? "", touched.map(({ written }) => written.id)];
  }

  /** @param given the turn; the newest one by default */
  async #decideTurn(action: DecideHunks["action"], given: unknown): Promise<string> {
    const { documents } = this.#options;
    const records = await this.#lists.records("written");
    const turn = typeof given === "string" ? given : (records[0]?.turn ?? refuse("No turn waits for you."));
    for (const { filePath } of records.filter((record) => record.turn === turn)) {
      const document = documents.at(filePath);
      if (action === "revert" && document && !isOnDisk(document))
        refuse(`${safeName(basename(filePath))} has unsaved changes: save them first.`);
    }
    await this.#follower.decideTurn(turn, action);
    return action === "keep" ? "Kept." : "Reverted: load the files that are open again.";
  }

  async #show(given: unknown): Promise<void> {
    const first = this.#files[0]?.filePath ?? refuse("Nothing that an agent wrote waits for you.");
    const path = typeof given === "string" ? given : first;
    await this.#options.staging.showFile(path, { line: this.#placedIn(path)[0]?.written.line ?? 1 });
  }
}
