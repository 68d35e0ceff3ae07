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
import { say } from "../wording.ts";
import { hasUnsavedEdits, nameOf, tabNameOf } from "../workspace.ts";
import { serveTexts } from "./proposal-documents.ts";
import { activeModifiedSide, closeDiffs, openDiff } from "./proposal-views.ts";

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
  readonly kind: Rewriting;
  readonly filePath: string;
  /** Null where the file would be deleted. */
  readonly text: string | null;
  /** Of the file as it is shown. */
  readonly stamp: string;
}

/** What became of a plan. */
export interface Written extends Pick<Plan, "kind" | "filePath"> {
  /** Why the file was not written: a sentence for the user. */
  readonly trouble?: string;
}

/** Past changes as diffs, and what undoing one or putting the user's version in again makes of the file. */
export class HistoryDocuments {
  readonly #history: () => Pick<Companion["history"], "read" | "note"> | undefined;
  /** By the document that shows one. */
  readonly #plans = new Map<string, Plan>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #subscriptions: vscode.Disposable;

  /** @param history undefined as long as the companion has not started */
  constructor(history: () => Pick<Companion["history"], "read" | "note"> | undefined) {
    this.#history = history;
    this.#subscriptions = vscode.Disposable.from(
      this.#changed,
      serveTexts([acceptedScheme, declinedScheme], {
        provideTextDocumentContent: ({ query, fragment }) => {
          const decision = this.#history()?.read(query);
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
    const uri = activeModifiedSide();
    return uri && schemes.includes(uri.scheme) ? uri.query.split(".")[0] : undefined;
  }

  /** Shows what a change did: from the file as it was to the text that was decided about. @returns why it cannot */
  async show(id: string): Promise<string | undefined> {
    const decision = this.#history()?.read(id);
    if (!decision?.texts) return vscode.l10n.t("The history does not hold the texts of this change.");
    const scheme = decision.outcome === "accepted" ? acceptedScheme : declinedScheme;
    const after = vscode.Uri.file(decision.filePath).with({ scheme, query: id });
    const title = vscode.l10n.t("{0} (past change)", tabNameOf(decision.filePath));
    await openDiff(after.with({ fragment: "before" }), after, title);
    return undefined;
  }

  /** Shows what would become of the file. @returns why there is nothing to show */
  async offer(kind: Rewriting, id: string): Promise<string | undefined> {
    const { l10n } = vscode;
    const decision = this.#history()?.read(id);
    if (!decision) return l10n.t("The history does not hold the texts of this change.");
    const { filePath } = decision;
    const { file: now, stamp } = readFileNow(filePath);
    const plan = planRewrite(kind, decision, now);
    if (plan.kind === "impossible") return say(rewriteTroubles[plan.reason]);
    if (plan.kind === "nothing") {
      return kind === "undo"
        ? l10n.t("The file holds nothing of this change.")
        : l10n.t("The file holds this change already.");
    }
    const file = vscode.Uri.file(filePath);
    const uri = file.with({ scheme: rewriteScheme, query: `${id}.${kind}` });
    this.#plans.set(uri.toString(), { kind, filePath, text: plan.text, stamp });
    this.#changed.fire(uri);
    const name = tabNameOf(filePath);
    const title =
      kind === "undo" ? l10n.t("{0} (without this change)", name) : l10n.t("{0} (with this change)", name);
    await openDiff(now.kind === "text" ? file : uri.with({ fragment: "none" }), uri, title);
    return undefined;
  }

  /** Writes the file as the active tab shows it. @returns undefined where that shows none */
  async write(): Promise<Written | undefined> {
    const uri = activeModifiedSide();
    const plan = uri && this.#plans.get(uri.toString());
    if (!plan) return undefined;
    const { l10n } = vscode;
    const { kind, filePath, text, stamp } = plan;
    if (hasUnsavedEdits(filePath)) {
      return {
        kind,
        filePath,
        trouble: l10n.t("{0} has edits that you have not saved.", nameOf(filePath)),
      };
    }
    try {
      await writeReviewedFile(filePath, text, { before: { stamp } });
    } catch {
      // The user sees the file as it is now, and decides once more.
      const trouble = await this.offer(kind, uri.query.split(".")[0] ?? "");
      const changed = l10n.t("The file has changed since you looked at it. Look at it once more.");
      return { kind, filePath, trouble: trouble ?? changed };
    }
    this.#history()?.note(uri.query.split(".")[0] ?? "", laterOf[kind]);
    await closeDiffs((modified) => modified.toString() === uri.toString());
    this.#plans.delete(uri.toString());
    return { kind, filePath };
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}
