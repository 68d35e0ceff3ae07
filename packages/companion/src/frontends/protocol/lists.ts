import { createTwoFilesPatch } from "diff";
import { type Connection, ErrorCodes, ResponseError } from "vscode-languageserver";
import type { Companion } from "../../companion.ts";
import type { RecoveredComments } from "../../core/comments/comment.ts";
import { toMessage } from "../../core/comments/message.ts";
import type { Edits, RecoveredEditsSummary } from "../../core/edits/recovered-edits.ts";
import {
  describeDecision,
  finalTextOf,
  type PastDecision,
  type ScannedDecision,
} from "../../core/history/past-decision.ts";
import { planRewrite } from "../../core/history/rewrite.ts";
import { explainReason, rewriteTroubles } from "../../core/sentences.ts";
import { readFileText } from "../../files/file-text.ts";
import { pathLabel } from "../../files/workspace-path.ts";
import {
  type ActionCode,
  type Effect,
  type ListName,
  listMessages,
  type News,
  type Row,
} from "./list-messages.ts";

/** Rows that are sent to a plugin: what a user still looks through in a list. */
const maxRows = 200;

export interface PluginListsOptions {
  readonly connection: Pick<Connection, "onRequest">;
  readonly roots: () => readonly string[];
  /** Resolves once the companion has started, or cannot. */
  readonly edits: () => Promise<Pick<Edits, "list" | "read" | "discard">>;
  /** Likewise; undefined where it cannot. */
  readonly started: () => Promise<
    Pick<Companion, "comments" | "sendComments" | "turns" | "history"> | undefined
  >;
}

/** A list of what the companion stores. */
interface StoredList {
  readonly title: string;
  readonly none: string;
  rows(): Promise<Iterable<Unlabelled>>;
  act(id: string, action: ActionCode): Promise<Effect>;
}

type Unlabelled = Omit<Row, "label">;

/** Serves what a plugin asks of turns, and of what the companion stores. */
export class PluginLists {
  readonly #options: PluginListsOptions;
  readonly #lists: Readonly<Record<ListName, StoredList>>;

  constructor(options: PluginListsOptions) {
    this.#options = options;
    this.#lists = { edits: this.#edits(), history: this.#history(), comments: this.#comments() };
    const { connection, started } = options;
    const { acceptRest, stopAccepting, list, act } = listMessages;
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
    connection.onRequest(list.method, async (params: unknown) => {
      const { list: name, wanted = "" } = list.params.parse(params);
      const { title, none } = this.#lists[name];
      return { title, none, rows: await this.#labelled(name, wanted) };
    });
    connection.onRequest(act.method, async (params: unknown): Promise<Effect> => {
      const { list: name, id, action } = act.params.parse(params);
      return this.#lists[name].act(id, action);
    });
  }

  /** What an earlier editor or companion has left of this project, as after a crash. */
  async news(): Promise<readonly News[]> {
    const all = (["edits", "comments"] as const).map(async (list): Promise<News[]> => {
      const own: Row[] = [];
      for (const row of await this.#lists[list].rows()) {
        const { label, outsideRoots } = await pathLabel(row.filePath, this.#options.roots());
        if (!outsideRoots) own.push(withLabel(row, label));
      }
      const [row, ...others] = own;
      if (!row) return [];
      if (others.length === 0) return [toNews(list, row)];
      const text =
        list === "edits"
          ? `${own.length} texts of yours are not in their files`
          : `Your comments on ${own.length} changes wait`;
      return [{ severity: "warning", text, list }];
    });
    return (await Promise.all(all)).flat();
  }

  /** Edits that no file holds. */
  async newsOfEdits(edits: RecoveredEditsSummary): Promise<News> {
    return toNews("edits", withLabel(editsRow(edits), await this.#label(edits)));
  }

  /** @param wasSent the user has sent them with a decision */
  async newsOfComments(waiting: RecoveredComments, wasSent: boolean): Promise<News> {
    const row = withLabel(commentsRow(waiting), await this.#label(waiting));
    if (!wasSent) return toNews("comments", row);
    return { severity: "info", row, text: copied(row), copy: toMessage(waiting) };
  }

  async #labelled(name: ListName, wanted: string): Promise<Row[]> {
    const rows: Row[] = [];
    for (const one of await this.#lists[name].rows()) {
      const { label, outsideRoots } = await pathLabel(one.filePath, this.#options.roots());
      const isWanted = `${label} ${one.agent} ${one.text}`.includes(wanted);
      if (isWanted && !(name === "history" && outsideRoots)) rows.push(withLabel(one, label));
      if (rows.length === maxRows) break;
    }
    return rows;
  }

  async #label({ filePath }: { readonly filePath: string }): Promise<string> {
    return (await pathLabel(filePath, this.#options.roots())).label;
  }

  #edits(): StoredList {
    const { edits } = this.#options;
    const expect = async (id: string) =>
      (await edits()).read(id) ?? refuse(`There are no recovered edits ${id} any more.`);
    return {
      title: "Recovered edits",
      none: "There are no recovered edits.",
      rows: async () => (await edits()).list().map(editsRow),
      act: async (id, action) => {
        const found = await expect(id);
        const { filePath, text: content } = found;
        const label = await this.#label(found);
        if (action === "restore") return { put: { filePath, content, what: "your text", onlySaved: false } };
        if (action === "discard") {
          (await edits()).discard(id);
          return { message: `Discarded: ${label}.`, removed: true };
        }
        const file = await readFileText(filePath);
        const before = { name: "On disk", text: file.kind === "text" ? file.text : "" };
        const after = { name: "Your text", text: content };
        return { message: explainReason(found), compare: toComparison(filePath, label, before, after) };
      },
    };
  }

  #history(): StoredList {
    const { started } = this.#options;
    return {
      title: "Decisions",
      none: "Nothing of the kind has been decided.",
      rows: async () => ((await started())?.history.list() ?? []).map(decisionRow),
      act: async (id, action) => {
        const found = (await started())?.history.read(id) ?? refuse(`There is no decision ${id} any more.`);
        if (action === "undo" || action === "reapply") return rewrite(found, action);
        const { texts, outcome, filePath, agent } = found;
        if (texts?.before === undefined)
          return refuse("The history does not hold its texts: they are too long, or kept from agents.");
        const before = { name: "Before", text: texts.before ?? "" };
        const after = { name: agent, text: finalTextOf(outcome, texts) };
        const message = `${agent}: ${describeDecision(found)}`;
        return { message, compare: toComparison(filePath, await this.#label(found), before, after) };
      },
    };
  }

  #comments(): StoredList {
    const { started } = this.#options;
    return {
      title: "Comments that no agent has received",
      none: "No comments wait.",
      rows: async () => ((await started())?.comments.list() ?? []).map(commentsRow),
      act: async (id, action) => {
        const companion = await started();
        const waiting =
          companion?.comments.read(id) ?? refuse(`There are no comments ${id} that wait any more.`);
        const label = await this.#label(waiting);
        if (action === "discard") {
          companion?.comments.discard(id);
          return { message: `Discarded: your comments on ${label}.`, removed: true };
        }
        const sent = action === "send" ? await companion?.sendComments(id) : undefined;
        if (sent !== undefined) return { message: inPrompt(sent), removed: true };
        return { message: copied({ label, agent: waiting.agent }), copy: toMessage(waiting) };
      },
    };
  }
}

/** The comments are in the prompt of an agent. */
export const inPrompt = (agent: string) => `Your comments are in the prompt of ${agent}: press Enter there`;

const copied = ({ label, agent }: Pick<Row, "label" | "agent">) =>
  `Your comments on ${label} are {place}: paste them into ${agent}`;

function toNews(list: "edits" | "comments", row: Row): News {
  const what = list === "edits" ? `Your text is not in ${row.label}` : `Your comments on ${row.label} wait`;
  return { severity: "warning", text: `${what}: ${row.text}`, list, row };
}

/** A question may name the file. */
const withLabel = ({ actions, ...row }: Unlabelled, label: string): Row => ({
  ...row,
  label,
  actions: actions.map(({ question, ...action }) => ({
    ...action,
    ...(question !== undefined && { question: question.replace("{file}", label) }),
  })),
});

const editsRow = ({ id, agent, filePath, at, reason }: RecoveredEditsSummary): Unlabelled => ({
  ...{ id, agent, filePath, at, text: explainReason({ reason, agent }) },
  actions: [
    { code: "show", name: "compares it with its file" },
    { code: "restore", name: "restores" },
    { code: "discard", name: "discards", question: "Discard your text for {file} for good?" },
  ],
});

const decisionRow = (decision: ScannedDecision): Unlabelled => ({
  ...{ id: decision.id, agent: decision.agent, filePath: decision.filePath, at: decision.at },
  text: describeDecision(decision),
  actions: [
    { code: "show", name: "shows the change" },
    { code: "undo", name: "undoes" },
    { code: "reapply", name: "puts it in" },
  ],
});

const commentsRow = (waiting: RecoveredComments): Unlabelled => ({
  ...{ id: waiting.id, agent: waiting.agent, filePath: waiting.filePath, at: waiting.at },
  ...{ text: explainReason(waiting), detail: toMessage(waiting) },
  actions: [
    { code: "send", name: "puts them into the agent's prompt" },
    { code: "copy", name: "copies them" },
    { code: "discard", name: "discards them", question: "Discard your comments on {file} for good?" },
  ],
});

/** Both texts, and the unified diff of them. */
function toComparison(filePath: string, label: string, before: ComparedText, after: ComparedText) {
  const texts = [before.text, after.text] as const;
  const names = [`${label}\t${before.name}`, `${label}\t${after.name}`] as const;
  const patch = texts[0] === texts[1] ? "" : createTwoFilesPatch(...names, ...texts, "", "", { context: 3 });
  return { filePath, label, before, after, patch };
}

interface ComparedText {
  readonly name: string;
  readonly text: string;
}

function refuse(reason: string): never {
  throw new ResponseError(ErrorCodes.InvalidParams, reason);
}

/** What a past change would make of its file now. Nothing is written. */
async function rewrite(decision: PastDecision, kind: "undo" | "reapply"): Promise<Effect> {
  const { filePath } = decision;
  const plan = planRewrite(kind, decision, await readFileText(filePath));
  if (plan.kind === "impossible") return { message: rewriteTroubles[plan.reason] };
  if (plan.kind === "nothing") return { message: "The file is so already." };
  if (plan.text === null) return { message: "The change made this file: delete it to undo that." };
  const what = kind === "undo" ? "the file without the change" : "your version";
  return { put: { filePath, content: plan.text, what, onlySaved: true } };
}
