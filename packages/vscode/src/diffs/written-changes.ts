import {
  faintDifferences,
  followWritten,
  nextOf,
  type Sharing,
  systemHost,
  type WrittenFrontend,
  type WrittenRecord,
} from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { commands, l10n, window, workspace } from "vscode";
import { onCommand } from "../commands.ts";
import { inform, offer } from "../messages.ts";
import { say } from "../wording.ts";
import { hasUnsavedEdits, isInWorkspace, nameOf, openRoots, tabNameOf } from "../workspace.ts";
import { goToLine, type Step } from "./diff-commands.ts";
import { ListView, type Row } from "./list-view.ts";
import { serveTexts } from "./proposal-documents.ts";
import { openDiff } from "./proposal-views.ts";
import type { UnsavedEdits } from "./unsaved-edits.ts";
import { type Action, isTarget, WrittenMarks } from "./written-marks.ts";

/** Of the left sides of diffs. */
const scheme = "ide-companion-written";

/** What agents wrote without asking: listed, marked in the files themselves, kept and reverted. */
export class WrittenChanges {
  readonly #written: WrittenFrontend;
  readonly #marks: WrittenMarks;
  readonly #view: ListView<WrittenRecord>;
  readonly #subscriptions: readonly vscode.Disposable[];
  #records: readonly WrittenRecord[] = [];
  /** What the user has looked at, as it was then. */
  readonly #seen = new Set<string>();

  /** @param unsaved hears of files that agents write */
  constructor(unsaved: UnsavedEdits, sharing: Sharing) {
    this.#written = followWritten({
      host: systemHost(),
      roots: openRoots,
      isSecret: sharing.check,
      onHunks: () => {
        this.#marks.draw();
        void this.#list();
      },
      onWritten: (file) => void unsaved.offer(file),
      onTurn: (turn) => void this.#announce(turn),
    });
    this.#marks = new WrittenMarks(this.#written);
    this.#view = new ListView("ideCompanion.written", "ideCompanion.showWritten", {
      list: () => this.#records,
      toRow: (record) => ({ ...toRow(record), isUnread: !this.#seen.has(toVersion(record)) }),
      none: l10n.t("Nothing that an agent wrote without asking waits for you."),
      placeHolder: l10n.t("What agents wrote without asking: search by file, agent or prompt"),
    });
    this.#subscriptions = [
      ...[this.#view, this.#marks],
      this.#view.on("showWritten", show),
      this.#view.on("reviewTurn", (record) => this.#showTurn(record)),
      onCommand("keepWritten", (target: unknown) => this.#decide("keep", target)),
      onCommand("revertWritten", (target: unknown) => this.#decide("revert", target)),
      this.#view.on("keepTurn", ({ turn }) => this.#decideOnDisk("keep", this.#ofTurn(turn))),
      this.#view.on("revertTurn", ({ turn }) => this.#decideOnDisk("revert", this.#ofTurn(turn))),
      serveTexts([scheme], { provideTextDocumentContent: ({ query }) => this.#written.before(query) }),
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme === "file") void this.#written.noteSaved(uri.fsPath);
      }),
      { dispose: this.#written.onChange(() => void this.#list()) },
      window.onDidChangeActiveTextEditor(() => this.#look()),
    ];
  }

  /** A turn has ended in which an agent wrote. */
  async #announce(turn: string): Promise<void> {
    await this.#list();
    const records = this.#ofTurn(turn);
    const [first] = records;
    if (!first) return;
    const sum = (lines: "added" | "removed") => records.reduce((all, each) => all + each[lines], 0);
    const files = records.length === 1 ? nameOf(first.filePath) : l10n.t("{0} files", records.length);
    const said = l10n.t("{0} changed {1}: +{2} −{3}", first.agent, files, sum("added"), sum("removed"));
    await offer(said, l10n.t("Review"), () => this.#showTurn(first));
  }

  dispose(): void {
    this.#written.close();
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  async #list(): Promise<void> {
    const records = await this.#written.list();
    this.#records = records.filter(({ filePath }) => isInWorkspace(filePath)).sort(byPath);
    const paths = this.#records.map(({ filePath }) => filePath);
    const { executeCommand } = commands;
    await executeCommand("setContext", "ideCompanion.written", paths.length > 0 && paths);
    this.#look();
  }

  #ofTurn(turn: string): readonly WrittenRecord[] {
    return this.#records.filter((record) => record.turn === turn);
  }

  #look(): void {
    const here = window.activeTextEditor?.document.uri.fsPath;
    this.#see(this.#records.filter(({ filePath }) => filePath === here));
  }

  /** The user has these in front. */
  #see(records: readonly WrittenRecord[]): void {
    for (const record of records) this.#seen.add(toVersion(record));
    this.#view.refresh();
  }

  /** What a lens or a row has passed, or else the hunks at the cursor. */
  async #decide(action: Action, given: unknown): Promise<void> {
    const record = this.#view.find(given);
    if (record) return this.#decideOnDisk(action, [record], record.filePath);
    const editor = window.activeTextEditor;
    const target = isTarget(given) ? given : editor && this.#marks.at(editor);
    if (target) await this.#marks.decide(action, target);
    if (target && editor?.document.uri.fsPath !== target.filePath) return;
    if (await this.go(1, { included: target !== undefined })) return;
    inform(l10n.t("Nothing else that an agent wrote waits for you."));
  }

  /** @param filePath of the only one of them; undefined for all of their turn */
  async #decideOnDisk(action: Action, records: readonly WrittenRecord[], filePath?: string): Promise<void> {
    const unsaved = action === "revert" && records.find((record) => hasUnsavedEdits(record.filePath));
    if (unsaved) {
      const name = nameOf(unsaved.filePath);
      throw new Error(l10n.t("{0} has edits that you have not saved.", name));
    }
    const [first] = records;
    if (first) await this.#written.decideTurn(action, first.turn, filePath);
    await this.#list();
  }

  async #showTurn(record: WrittenRecord): Promise<void> {
    const ofTurn = this.#ofTurn(record.turn);
    const resources = ofTurn.map((each) => [
      vscode.Uri.file(each.filePath),
      each.kind === "added" ? undefined : toBefore(each),
      each.kind === "deleted" ? undefined : toAfter(each),
    ]);
    try {
      await commands.executeCommand("vscode.changes", record.title || record.agent, resources);
      this.#see(ofTurn);
    } catch {
      // Theia shows one file at a time, and keys lead to the others.
      await show(record);
    }
  }

  /**
   * Goes to the next hunk, or to the one before, also in another file; after the last of all to the first.
   * @param included also to one in the line of the cursor
   * @returns whether there is one
   */
  async go(by: Step, { included = false } = {}): Promise<boolean> {
    const editor = window.activeTextEditor;
    const from = (editor?.selection.active.line ?? -1) - (included ? by : 0);
    const placed = editor ? this.#marks.placedIn(editor.document) : [];
    const starts = placed.map(({ hunk }) => hunk.line);
    const line = nextOf(starts, from, by);
    const here = editor?.document.uri.fsPath ?? "";
    const next = line === undefined ? await this.#written.next(here, by, this.#marks.reverted()) : undefined;
    if (!next?.filePath) {
      const target = line ?? starts.at(by > 0 ? 0 : -1);
      if (editor && target !== undefined) goToLine(editor, target);
      return target !== undefined;
    }
    const uri = vscode.Uri.file(next.filePath);
    const there = await window.showTextDocument(uri, { preview: false });
    const known = this.#marks.placedIn(there.document).map(({ hunk }) => hunk.line);
    const lines = known.length > 0 ? known : next.lines;
    const start = lines.at(by > 0 ? 0 : -1);
    if (start !== undefined) goToLine(there, start);
    return true;
  }
}

/** The file as it was before, next to the file as it is. */
const show = (record: WrittenRecord) =>
  openDiff(toBefore(record), toAfter(record), `${tabNameOf(record.filePath)} (${record.agent})`);

/** In which the user goes through them, and no other order. */
const byPath = ({ filePath: one }: WrittenRecord, { filePath: other }: WrittenRecord) =>
  Number(one > other) - Number(one < other);

function toRow({ title, kind, renamedFrom, added, removed, faint, withheld }: WrittenRecord): Row {
  const kinds = { added: l10n.t("new file"), modified: "", deleted: l10n.t("deleted") };
  const size = withheld === undefined ? `+${added} −${removed}` : l10n.t("its text is not kept");
  const become = renamedFrom ? l10n.t("renamed from {0}", nameOf(renamedFrom)) : kinds[kind];
  const note = [become, faint && say(faintDifferences[faint]), size].filter(Boolean).join(", ");
  return { note, detail: title || note, contextValue: "written" };
}

const toVersion = ({ id, revision }: WrittenRecord) => `${id} ${revision}`;

const toBefore = ({ id, filePath }: WrittenRecord) => vscode.Uri.file(filePath).with({ scheme, query: id });

const toAfter = (record: WrittenRecord) =>
  record.kind === "deleted"
    ? vscode.Uri.file(record.filePath).with({ scheme })
    : vscode.Uri.file(record.filePath);
