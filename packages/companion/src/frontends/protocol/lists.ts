import type { RecoveredComments } from "../../core/comments/comment.ts";
import { toMessage } from "../../core/comments/message.ts";
import type { RecoveredEditsSummary } from "../../core/edits/recovered-edits.ts";
import type { CompanionEvent } from "../../core/events.ts";
import { finalTextOf, type ScannedDecision } from "../../core/history/past-decision.ts";
import { laterOf, planRewrite } from "../../core/history/rewrite.ts";
import { describeOutcome, explainReason, rewriteTroubles } from "../../core/sentences.ts";
import { readFileText } from "../../files/file-text.ts";
import type { PathLabel, PathLabels } from "../../files/workspace-path.ts";
import type { Act, ActionCode, Effect, News, Row, StoredName } from "./list-messages.ts";
import { type Outcome, refuse, type StoredList, type Stores, toComparison } from "./stored-list.ts";
import { newsOfTurn, type WrittenRecord, written } from "./written-list.ts";

/** What the lists hold, in codes. */
interface Records {
  readonly written: WrittenRecord;
  readonly edits: RecoveredEditsSummary;
  readonly comments: RecoveredComments;
  readonly history: ScannedDecision & {
    /** Of the proposal of this companion that ended so. */
    readonly proposalId?: string;
  };
}

/** A record, with its file for people. */
export type Listed<Name extends StoredName> = Records[Name] & PathLabel;

const edits: StoredList<Records["edits"]> = {
  title: "Recovered edits",
  none: "There are no recovered edits.",
  records: (stores) => stores.edits.list(),
  isEverywhere: () => true,
  describe: explainReason,
  actions: [
    { code: "show", name: "compares it with its file" },
    { code: "restore", name: "restores" },
    { code: "discard", name: "discards" },
  ],
  question: "Discard your text for {file} for good?",
  async act(id, action, { stores, label }) {
    const found = stores.edits.read(id) ?? refuse("There are no such recovered edits any more.");
    const { filePath, text: content } = found;
    if (action === "restore") return { put: { filePath, content, what: "your text", onlySaved: false } };
    const name = await label(found);
    if (action === "discard") {
      stores.edits.discard(id);
      return { message: `Discarded: ${name}.`, removed: true };
    }
    const file = await readFileText(filePath);
    const before = { name: "On disk", text: file.kind === "text" ? file.text : "" };
    const after = { name: "Your text", text: content };
    return { message: explainReason(found), compare: toComparison(name, before, after) };
  },
};

const history: StoredList<Records["history"]> = {
  title: "Decisions",
  none: "Nothing of the kind has been decided.",
  *records(stores) {
    for (const decision of stores.history.list()) {
      const proposalId = stores.history.proposalOf(decision.id);
      yield { ...decision, ...(proposalId !== undefined && { proposalId }) };
    }
  },
  isEverywhere: ({ proposalId }) => proposalId !== undefined,
  describe: describeOutcome,
  actions: [
    { code: "show", name: "shows the change" },
    { code: "undo", name: "undoes" },
    { code: "reapply", name: "puts it in" },
  ],
  async act(id, action, { stores, label }) {
    const found = stores.history.read(id) ?? refuse("The texts of this change are not kept any more.");
    const { texts, outcome, filePath, agent } = found;
    if (action === "undo" || action === "reapply") {
      const plan = planRewrite(action, found, await readFileText(filePath));
      if (plan.kind === "impossible") return { message: rewriteTroubles[plan.reason] };
      if (plan.kind === "nothing") return { message: "The file is so already." };
      const what = action === "undo" ? "the file without the change" : "your version";
      return { put: { filePath, content: plan.text, what, onlySaved: true } };
    }
    if (texts?.before === undefined)
      refuse("The history does not hold its texts: they are too long, or kept from agents.");
    const before = { name: "Before", text: texts.before ?? "" };
    const after = { name: agent, text: finalTextOf(outcome, texts) };
    const message = `${agent}: ${describeOutcome(found)}`;
    return { message, compare: toComparison(await label(found), before, after) };
  },
};

const comments: StoredList<Records["comments"]> = {
  title: "Comments that no agent has received",
  none: "No comments wait.",
  records: (stores) => stores.comments.list(),
  isEverywhere: () => true,
  describe: explainReason,
  detail: toMessage,
  actions: [
    { code: "send", name: "puts them into the agent's prompt" },
    { code: "copy", name: "copies them" },
    { code: "discard", name: "discards them" },
  ],
  question: "Discard your comments on {file} for good?",
  async act(id, action, { stores, label }) {
    const waiting = stores.comments.read(id) ?? refuse("There are no such comments any more.");
    const name = await label(waiting);
    if (action === "discard") {
      stores.comments.discard(id);
      return { message: `Discarded: your comments on ${name}.`, removed: true };
    }
    const agent = action === "send" ? await stores.sendComments(id) : undefined;
    if (agent !== undefined) return { agent, message: inPrompt(agent), removed: true };
    return { message: copied({ label: name, agent: waiting.agent }), copy: toMessage(waiting) };
  },
};

const lists: { readonly [Name in StoredName]: StoredList<Records[Name]> } = {
  written,
  edits,
  history,
  comments,
};

/** The lists of what a companion stores, as its frontends show them and act on them. */
export class StoredLists {
  readonly #labels: PathLabels;
  readonly #stores: () => Promise<Stores | undefined>;

  /** @param stores resolves once the companion has started; undefined where it cannot */
  constructor(labels: PathLabels, stores: () => Promise<Stores | undefined>) {
    this.#labels = labels;
    this.#stores = stores;
  }

  /** @param wanted only those whose file, agent or text holds it */
  async records<Name extends StoredName>(name: Name, wanted = ""): Promise<readonly Listed<Name>[]> {
    const list: StoredList<Records[Name]> = lists[name];
    const stores = await this.#stores();
    const { maxRecords = 200 } = list;
    const listed: Listed<Name>[] = [];
    const all = stores ? [...(await list.records(stores))] : [];
    for (let at = 0; at < all.length && listed.length < maxRecords; at += maxRecords) {
      // Together: one after the other, those of hundreds of files take seconds on a busy machine.
      const paths = all.slice(at, at + maxRecords).map(async (record) => {
        const path = await this.#labels.of(record.filePath);
        const isWanted = `${path.label} ${record.agent} ${list.describe(record)}`.includes(wanted);
        return isWanted && (!path.outsideRoots || list.isEverywhere(record)) ? [{ ...record, ...path }] : [];
      });
      listed.push(...(await Promise.all(paths)).flat());
    }
    return listed.slice(0, maxRecords);
  }

  /** For who knows no language: what a list holds, in English. */
  async rows(name: StoredName, wanted: string) {
    const { title, none } = lists[name];
    const [stores, records] = [await this.#stores(), await this.records(name, wanted)];
    return { title, none, rows: records.map((record) => toRow(name, record, stores)) };
  }

  /** The effect of an action, for an editor that leaves saving to its user. @throws Error with a sentence for the user */
  async effect({ list, id, action, sure }: Act & { readonly list: StoredName }): Promise<Effect> {
    const ask = sure ? undefined : await this.#ask(list, id, action);
    if (ask) return { ask };
    const { put, ...effect } = await this.act(list, id, action);
    if (!put) return effect;
    const { filePath, content } = put;
    if (content === null) return { message: "The change made this file: delete it to undo that." };
    if (action === "undo" || action === "reapply")
      (await this.#stores())?.history.noteOnceSaved(id, laterOf[action], { filePath, text: content });
    return { ...effect, put: { ...put, content } };
  }

  /** What to ask before an action; undefined for nothing. */
  async #ask(name: StoredName, id: string, action: ActionCode): Promise<Effect["ask"]> {
    const { question } = lists[name];
    if (action !== "discard" || question === undefined) return undefined;
    const found = (await this.records(name)).find((record) => record.id === id);
    return found && { question: question.replace("{file}", found.label), yes: "Discard" };
  }

  /** @throws Error with a sentence for the user */
  async act(name: StoredName, id: string, action: ActionCode): Promise<Outcome> {
    const stores = (await this.#stores()) ?? refuse("The companion is not running.");
    return lists[name].act(id, action, { stores, label: (file) => this.#label(file) });
  }

  /** What an earlier editor or companion has left of this project, as after a crash. */
  async news(): Promise<readonly News[]> {
    const all = (["edits", "comments"] as const).map(async (list): Promise<News[]> => {
      const own = (await this.records(list)).filter(({ outsideRoots }) => !outsideRoots);
      const [first, ...others] = own;
      if (!first) return [];
      if (others.length === 0) return [toNews(list, toRow(list, first))];
      const text =
        list === "edits"
          ? `${own.length} texts of yours are not in their files`
          : `Your comments on ${own.length} changes wait`;
      return [{ severity: "warning", text, list }];
    });
    return (await Promise.all(all)).flat();
  }

  /** What the user is to hear of something that has happened; undefined for nothing. */
  async newsOf(event: CompanionEvent): Promise<News | undefined> {
    switch (event.kind) {
      case "edits-recovered":
        return this.newsOfEdits(event.edits);
      case "comments-recovered": {
        const row = await this.#rowOf("comments", event.comments);
        if (!event.wasSent) return toNews("comments", row);
        return { severity: "info", row, text: copied(row), copy: toMessage(event.comments) };
      }
      case "comments-delivered":
        if (event.by !== "prompt") return undefined;
        return { severity: "info", text: inPrompt(event.proposal.agent) };
      case "turn-written":
        return newsOfTurn((await this.records("written")).filter(({ turn }) => turn === event.turn));
      default:
        return undefined;
    }
  }

  /** Edits that no file holds. */
  async newsOfEdits(edits: RecoveredEditsSummary): Promise<News> {
    return toNews("edits", await this.#rowOf("edits", edits));
  }

  async #rowOf<Name extends StoredName>(name: Name, record: Records[Name]): Promise<Row> {
    return toRow(name, { ...record, ...(await this.#labels.of(record.filePath)) });
  }

  async #label({ filePath }: { readonly filePath: string }): Promise<string> {
    return (await this.#labels.of(filePath)).label;
  }
}

/** The comments are in the prompt of an agent. */
const inPrompt = (agent: string) => `Your comments are in the prompt of ${agent}: press Enter there`;

const copied = ({ label, agent }: Pick<Row, "label" | "agent">) =>
  `Your comments on ${label} are {place}: paste them into ${agent}`;

function toNews(list: "edits" | "comments", row: Row): News {
  const what = list === "edits" ? `Your text is not in ${row.label}` : `Your comments on ${row.label} wait`;
  return { severity: "warning", text: `${what}: ${row.text}`, list, row };
}

function toRow<Name extends StoredName>(name: Name, record: Listed<Name>, stores?: Stores): Row {
  const list: StoredList<Records[Name]> = lists[name];
  const { id, agent, filePath, label, at } = record;
  const hunks = stores && list.hunks?.(record, stores);
  return {
    ...{ id, agent, filePath, label, at, text: list.describe(record) },
    ...(list.detail && { detail: list.detail(record) }),
    ...(hunks && { hunks }),
    actions: list.actions,
  };
}
