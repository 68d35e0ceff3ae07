import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { CodeAction, Range } from "vscode-languageserver";
import { z } from "zod";
import { placeHunks } from "../../../core/hunks.ts";
import { toFormOf, withoutMark } from "../../../files/comparable-text.ts";
import { safeName, safeText } from "../../../files/safe-text.ts";
import { toTextEdits } from "../../protocol/buffer-edits.ts";
import { type Effect, listMessages, type Row, type StoredName } from "../../protocol/list-messages.ts";
import type { StoredLists } from "../../protocol/lists.ts";
import { refuse } from "../../protocol/stored-list.ts";
import { isOnDisk, type OpenDocument } from "./document.ts";
import type { Documents } from "./documents.ts";
import { type Commands, commands, ownKind, toAction } from "./marks.ts";
import type { ProposalFolder } from "./proposal-folder.ts";
import type { Staging } from "./staging.ts";

export interface ListDocumentsOptions {
  readonly lists: StoredLists;
  readonly documents: Documents;
  readonly staging: Staging;
  readonly folder: ProposalFolder;
}

/** Milliseconds in which an editor says that it has opened what it shows. */
const opening = 500;

const { list: ListName, id: Id, action: Action } = listMessages.act.params.shape;
const Chosen = z.tuple([ListName, Id, Action]);

/** What the companion stores, as documents of which each line is a row: actions at it act on it. */
export class ListDocuments {
  readonly #options: ListDocumentsOptions;
  /** By the path of a document, its list and the rows of its lines. */
  readonly #shown = new Map<string, { readonly name: StoredName; readonly rows: readonly Row[] }>();
  /** The action that the user has been asked about. */
  #asked = "";
  #count = 0;

  constructor(options: ListDocumentsOptions) {
    this.#options = options;
  }

  /** What can be done with the row at a place; undefined where the document is no list. */
  actions(document: OpenDocument, { start }: Range): CodeAction[] | undefined {
    const shown = this.#shown.get(document.path);
    const row = shown?.rows[start.line];
    return (
      shown &&
      (row?.actions ?? []).map(({ code, name }) =>
        toAction(safeText(`${row?.label}: ${name}`), ownKind, commands.act, shown.name, row?.id, code),
      )
    );
  }

  get commands(): Commands {
    return {
      [commands.listEdits]: () => this.#show("edits"),
      [commands.listComments]: () => this.#show("comments"),
      [commands.listHistory]: () => this.#show("history"),
      [commands.act]: (given) => this.#act(given),
    };
  }

  /** @returns what to say when it is empty */
  async #show(name: StoredName): Promise<string | undefined> {
    const { title, none, rows } = await this.#options.lists.rows(name, "");
    if (rows.length === 0) return none;
    const lines = rows.map(({ label, text, agent, at }) =>
      safeText(`- ${label}: ${text} (${agent}, ${new Date(at).toLocaleString()})`),
    );
    const file = this.#write(`${title}.txt`, `${lines.join("\n")}\n`);
    this.#shown.set(file, { name, rows });
    await this.#options.staging.openFile(file);
    return undefined;
  }

  /** @returns what to say of it */
  async #act(given: readonly unknown[]): Promise<string | undefined> {
    const { lists, staging } = this.#options;
    const [list, id, action] = Chosen.safeParse(given).data ?? refuse("Choose a row of a list first.");
    if (list === "waiting") return undefined;
    const asked = JSON.stringify(given);
    const effect = await lists.effect({ list, id, action, sure: this.#asked === asked });
    this.#asked = effect.ask ? asked : "";
    const { ask, put, compare, copy, message } = effect;
    if (ask) refuse(`${ask.question} Choose it once more for that.`);
    if (put) return this.#put(put);
    const shown = compare ? [`${path.basename(compare.label)}.diff`, compare.patch] : ["Comments.txt", copy];
    const [name = "", text] = shown;
    if (text) await staging.openFile(this.#write(name, text));
    return message && safeText(message.replace("{place}", "in this document"));
  }

  /** Changes the document of a file, unsaved. */
  async #put({ filePath, content, what, onlySaved }: NonNullable<Effect["put"]>): Promise<string> {
    const { documents, staging } = this.#options;
    await staging.openFile(filePath);
    const name = safeName(path.basename(filePath));
    if (!documents.at(filePath)) await wait(opening);
    const document = documents.at(filePath) ?? refuse(`${name} is not open: try again.`);
    if (onlySaved && !isOnDisk(document)) refuse(`${name} is another text on disk: load it, or save yours.`);
    const text = toFormOf(document.text, withoutMark(content));
    const edits = toTextEdits(document.text, { content: text, edits: placeHunks(document.text, text) });
    await staging.edit(`Put ${what} into the file`, { changes: { [document.uri]: edits } });
    return `${name} has ${what} now: save it, or undo that.`;
  }

  /** @returns absolute path of a private file with this text */
  #write(name: string, text: string): string {
    this.#count += 1;
    const file = path.join(this.#options.folder.make(`list-${this.#count}`), safeName(name));
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
    return file;
  }
}
