import { type Connection, ErrorCodes, ResponseError } from "vscode-languageserver";
import type { z } from "zod";
import type { Companion } from "../../companion.ts";
import {
  describeDecision,
  finalTextOf,
  type PastDecision,
  type ScannedDecision,
} from "../../core/history/past-decision.ts";
import { planRewrite, type Rewriting } from "../../core/history/rewrite.ts";
import { rewriteTroubles } from "../../core/sentences.ts";
import { readFileText } from "../../files/file-text.ts";
import { pathLabel } from "../../files/workspace-path.ts";
import { type DecisionView, listMessages } from "./list-messages.ts";

/** Decisions that are sent to a plugin: what a user still looks through in a list. */
const maxDecisions = 200;

export interface PluginListsOptions {
  readonly connection: Pick<Connection, "onRequest">;
  readonly roots: () => readonly string[];
  /** Resolves once the companion has started; undefined where it cannot. */
  readonly started: () => Promise<Pick<Companion, "turns" | "history"> | undefined>;
}

/** Answers what a plugin asks of turns, and of what has been decided. */
export function servePluginLists({ connection, roots, started }: PluginListsOptions): void {
  const { acceptRest, stopAccepting, history, readDecision, rewriteFile } = listMessages;
  const find = async (id: string): Promise<PastDecision> => {
    const found = (await started())?.history.read(id);
    if (!found) throw new ResponseError(ErrorCodes.InvalidParams, `There is no decision ${id} any more.`);
    return found;
  };
  connection.onRequest(acceptRest.method, async (params: unknown) => {
    const { turn, stopAt } = acceptRest.params.parse(params);
    (await started())?.turns.acceptRest(turn, stopAt);
    return null;
  });
  connection.onRequest(stopAccepting.method, async (params: unknown) => {
    const { turn } = stopAccepting.params.parse(params);
    (await started())?.turns.stop(turn);
    return null;
  });
  connection.onRequest(history.method, async () => {
    const decisions: DecisionView[] = [];
    for (const one of (await started())?.history.list() ?? []) {
      const { outsideRoots, view } = await toView(one, roots());
      if (!outsideRoots) decisions.push(view);
      if (decisions.length === maxDecisions) break;
    }
    return { decisions };
  });
  connection.onRequest(readDecision.method, async (params: unknown) => {
    const found = await find(readDecision.params.parse(params).id);
    if (found.texts?.before === undefined) {
      const reason = "The history does not hold its texts: they are too long, or kept from agents.";
      throw new ResponseError(ErrorCodes.InvalidParams, reason);
    }
    const { before } = found.texts;
    return { ...(await toView(found, roots())).view, before, after: finalTextOf(found.outcome, found.texts) };
  });
  connection.onRequest(rewriteFile.method, async (params: unknown) => {
    const { id, kind } = rewriteFile.params.parse(params);
    return answerRewrite(await find(id), kind);
  });
}

type RewriteAnswer = z.infer<typeof listMessages.rewriteFile.answer>;

/** What a past change would make of its file now. Nothing is written. */
async function answerRewrite(decision: PastDecision, kind: Rewriting): Promise<RewriteAnswer> {
  const { filePath } = decision;
  const plan = planRewrite(kind, decision, await readFileText(filePath));
  if (plan.kind === "impossible") return { filePath, reason: rewriteTroubles[plan.reason] };
  if (plan.kind === "nothing") return { filePath, reason: "The file is so already." };
  if (plan.text === null) return { filePath, reason: "The change made this file: delete it to undo that." };
  return { filePath, content: plan.text };
}

async function toView(decision: ScannedDecision | PastDecision, roots: readonly string[]) {
  const { id, agent, filePath, at, outcome } = decision;
  const { label, outsideRoots } = await pathLabel(filePath, roots);
  return {
    outsideRoots,
    view: { id, agent, filePath, label, at, outcome, text: describeDecision(decision) },
  };
}
