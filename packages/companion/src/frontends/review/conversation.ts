import type { Decision, DecisionResult } from "../../core/editor.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Page } from "./page.ts";
import type { HeldProposal } from "./proposal-store.ts";
import type { AnswerTo, PageMessage } from "./protocol.ts";
import type { Review } from "./review.ts";

type Message<Type extends PageMessage["type"]> = Extract<PageMessage, { readonly type: Type }>;

type Handlers = {
  readonly [Type in PageMessage["type"]]: (
    page: Page,
    message: Message<Type>,
    review: Review,
  ) => AnswerTo<Type> | Promise<AnswerTo<Type>>;
};

const handlers: Handlers = {
  context: (page, message, { pageState }) => pageState.show(page, message),
  draft: takeDraft,
  flushed: (page, { id }) => page.flushed(id),
  ping: () => {},
  diffAccepted: accept,
  diffRejected: reject,
  acceptRest: (_page, { turn, stopAt }, { companion }) => companion?.turns.acceptRest(turn, stopAt),
  stopAccepting: (_page, { turn }, { companion }) => companion?.turns.stop(turn),
  comments: takeComments,
  viewed: (page, message, review) => {
    review.view(message.id, message.hunks);
    // A page marks hunks on the spot, and a written file once it is heard.
    review.pages.send(message, review.store.find(message.id) && { except: page });
  },
  "keep-comments": (_page, { type: _, ...kept }, { companion }) => companion?.comments.add(kept),
  act: async (_page, { type: _, ...wanted }, review) => {
    try {
      const agent = await review.stored.act(wanted);
      return agent === undefined ? {} : { agent };
    } finally {
      if (wanted.list === "written") review.announce("written");
    }
  },
  openFile: (_page, { type: _, ...place }, review) => review.openFile(place),
  pause: (_page, { paused }, review) => review.pause(paused),
  review: (_page, { mode }, review) => review.setMode(mode),
  send: (_page, { type: _, ...message }, review) => review.send(message),
  "keep-edits": (_page, { type: _, ...recovered }, { stored }) => stored.keep(recovered),
  watch: (page, { paths }, { watch }) => watch.watch(page, paths),
};

/** Does what the user of a page has asked for. @param ask names the message in its answer */
export async function answerPage(
  page: Page,
  message: PageMessage,
  review: Review,
  ask?: number,
): Promise<void> {
  // The type of the table pairs each message with what takes it.
  const handle = handlers[message.type] as (page: Page, message: PageMessage, review: Review) => unknown;
  try {
    const answer = await handle(page, message, review);
    if (ask !== undefined) page.send({ type: "answered", ask, answer });
  } catch (error) {
    const trouble = messageOf(error);
    if (ask !== undefined) page.send({ type: "answered", ask, trouble });
    else page.send({ type: "notice", level: "warning", text: trouble });
  }
}

function takeComments(page: Page, message: Message<"comments">, { store, pages }: Review): void {
  const { id, comments } = message;
  // The user may still have been writing when the diff was closed elsewhere.
  store.findAny(id)?.change.saveComments(comments);
  if (store.find(id)) pages.send(message, { except: page });
}

function takeDraft(
  page: Page,
  { id, content, revision: seen }: Message<"draft">,
  review: Review,
): AnswerTo<"draft"> {
  const { store, pages } = review;
  const held = store.find(id);
  if (!held) {
    // The user was still typing when the diff was closed elsewhere.
    store.findAny(id)?.change.write(content);
    return { revision: seen };
  }
  const isTaken = held.write(content, page, seen);
  const { revision, text } = held.change;
  const own = held.textOf(page);
  if (!isTaken) return { revision, content: text, ...(own && { own }) };
  pages.send({ type: "draft", id, revision, content }, { except: page });
  review.announce("proposals");
  return { revision };
}

/** Finds a proposal once the page that has typed in it last has handed in what it had not sent. @param page has done so */
async function findFlushed(
  page: Page,
  id: string,
  { store, pages }: Review,
): Promise<HeldProposal | undefined> {
  const author = store.find(id)?.lastAuthor;
  if (author && author.id !== page.id) await pages.flush(id, author);
  return store.find(id);
}

async function accept(
  page: Page,
  { type: _, id, revision = 0, content, ...decision }: Message<"diffAccepted">,
  review: Review,
): Promise<DecisionResult> {
  const held = await findFlushed(page, id, review);
  const change = review.store.findAny(id)?.change;
  const isNews = content !== undefined && content !== change?.text;
  const isKept = isNews && content !== change?.proposal.newContent;
  const answer = isNews ? takeDraft(page, { type: "draft", id, revision, content }, review) : undefined;
  if (!held) return refuseLate(change, isKept);
  if (answer?.content !== undefined) {
    // It may have missed the change.
    page.send({ type: "draft", id, revision: answer.revision, content: answer.content });
    return { taken: false, reason: { code: "text-changed" } };
  }
  // The user's own version of a read-only proposal is accepted as it stands.
  const { text, proposal } = held.change;
  const ownVersion = proposal.readOnlyReason !== undefined && text !== proposal.newContent;
  return settle(held, { kind: "accepted", ...decision, ...(ownVersion && { ownVersion }) });
}

async function reject(
  page: Page,
  { type: _, id, ...decision }: Message<"diffRejected">,
  review: Review,
): Promise<DecisionResult> {
  const held = await findFlushed(page, id, review);
  if (!held) return refuseLate(review.store.findAny(id), false);
  return settle(held, { kind: "rejected", ...decision });
}

function settle({ change }: HeldProposal, decision: Decision): DecisionResult {
  const { comments } = change;
  try {
    return change.decide({ ...(comments.length > 0 && { comments }), ...decision });
  } catch (error) {
    return { taken: false, reason: { code: "not-passed-on", values: [messageOf(error)] } };
  }
}

function refuseLate(known: object | undefined, isKept: boolean): DecisionResult {
  if (!known) return { taken: false, reason: { code: "earlier-run" } };
  return { taken: false, reason: { code: isKept ? "decided-text-kept" : "decided" } };
}
