import type { Companion } from "ide-companion";
import {
  finalTextOf,
  laterOf,
  planRewrite,
  type Rewriting,
  readFileNow,
  rewriteTroubles,
  writeReviewedFile,
} from "ide-companion/editor-kit";
import * as vscode from "vscode";
import { l10n } from "vscode";
import { say } from "../wording.ts";
import { hasUnsavedEdits, nameOf, tabNameOf } from "../workspace.ts";
import { serveTexts } from "./proposal-documents.ts";
import { activeSide, closeTabs, openDiff, tabsOf } from "./proposal-views.ts";

/**
 * The schemes of the two sides of a past change that was accepted, of one that was not, and of what a file would become.
 * Our title buttons depend on them.
 */
const acceptedScheme = "ide-companion-past";
const declinedScheme = "ide-companion-declined";
const rewriteScheme = "ide-companion-rewrite";
const schemes = [acceptedScheme, declinedScheme, rewriteScheme];

/** What the user sees of a file before it is written. */
interface Plan {
  readonly id: string;
  readonly kind: Rewriting;
  readonly filePath: string;
  /** Null where the file would be deleted. */
  readonly text: string | null;
  /** Of the file as it is shown. */
  readonly stamp: string;
}

/** What the history holds of past changes. */
type Past = Pick<Companion["history"], "read" | "note">;

/** Past changes as diffs, and what undoing one or putting the user's version in again makes of the file. */
export class HistoryDocuments {
  readonly #history: Past;
  /** By the document that shows one. */
  readonly #plans = new Map<string, Plan>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions: vscode.Disposable;

  constructor(history: Past) {
    this.#history = history;
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      serveTexts([acceptedScheme, declinedScheme], {
        provideTextDocumentContent: ({ query, fragment }) => {
          const decision = history.read(query);
          if (!decision?.texts) return "";
          const { outcome, texts } = decision;
          return fragment === "before" ? (texts.before ?? "") : finalTextOf(outcome, texts);
        },
      }),
      serveTexts([rewriteScheme], {
        onDidChange: this.#changed.event,
        provideTextDocumentContent: (uri) => this.#plans.get(uri.toString())?.text ?? "",
      }),
    );
  }

  /** The id of the past change in the active tab. */
  get activeId(): string | undefined {
    const uri = activeSide();
    return uri && schemes.includes(uri.scheme) ? uri.query.split(".")[0] : undefined;
  }

  /** Shows what a change did: from the file as it was to the text that was decided about. @throws Error with a sentence */
  async show(id: string): Promise<void> {
    const { outcome, filePath } = this.#expect(id);
    const scheme = outcome === "accepted" ? acceptedScheme : declinedScheme;
    const after = vscode.Uri.file(filePath).with({ scheme, query: id });
    const title = l10n.t("{0} (past change)", tabNameOf(filePath));
    await openDiff(after.with({ fragment: "before" }), after, title);
  }

  /** Shows what would become of the file. @throws Error with a sentence where there is nothing to show */
  async offer(kind: Rewriting, id: string): Promise<void> {
    const decision = this.#expect(id);
    const { filePath } = decision;
    const { file: now, stamp } = readFileNow(filePath);
    const plan = planRewrite(kind, decision, now);
    const isUndo = kind === "undo";
    if (plan.kind === "impossible") throw new Error(say(rewriteTroubles[plan.reason]));
    if (plan.kind === "nothing") {
      const known = l10n.t("The file holds this change already.");
      throw new Error(isUndo ? l10n.t("The file holds nothing of this change.") : known);
    }
    const file = vscode.Uri.file(filePath);
    const uri = file.with({ scheme: rewriteScheme, query: `${id}.${kind}` });
    this.#plans.set(uri.toString(), { id, kind, filePath, text: plan.text, stamp });
    this.#changed.fire(uri);
    const name = tabNameOf(filePath);
    const title = isUndo ? l10n.t("{0} (without this change)", name) : l10n.t("{0} (with this change)", name);
    await openDiff(now.kind === "text" ? file : uri.with({ fragment: "none" }), uri, title);
  }

  /** Writes the file as the active tab shows it. @returns undefined where that shows none @throws Error with a sentence */
  async write(): Promise<Plan | undefined> {
    const uri = activeSide();
    const plan = uri && this.#plans.get(uri.toString());
    if (!plan) return undefined;
    const { id, kind, filePath, text, stamp } = plan;
    if (hasUnsavedEdits(filePath))
      throw new Error(l10n.t("{0} has edits that you have not saved.", nameOf(filePath)));
    try {
      await writeReviewedFile(filePath, text, { before: { stamp } });
    } catch {
      // The user sees the file as it is now, and decides once more.
      await this.offer(kind, id);
      throw new Error(l10n.t("The file has changed since you looked at it. Look at it once more."));
    }
    this.#history.note(id, laterOf[kind]);
    await closeTabs(tabsOf(uri));
    this.#plans.delete(uri.toString());
    return plan;
  }

  #expect(id: string) {
    const decision = this.#history.read(id);
    if (decision?.texts) return decision;
    throw new Error(l10n.t("The history does not hold the texts of this change."));
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
