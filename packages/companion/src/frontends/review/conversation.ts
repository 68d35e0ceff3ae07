import type { Comment, Decision, DecisionResult, ShownChange } from "../../core/editor.ts";
import type { PromptMessage } from "../../core/prompt-message.ts";
import type { Notice } from "../../core/sentences.ts";
import { messageOf } from "../../system/error-message.ts";
import type { HeldProposal } from "./held-proposal.ts";
import type { Page } from "./page.ts";
import type { PageMessage } from "./protocol.ts";
import type { Review } from "./review.ts";

type Handlers = {
  readonly [Type in PageMessage["type"]]: (
    page: Page,
    message: Extract<PageMessage, { readonly type: Type }>,
    review: Review,
  ) => unknown;
};

const handlers: Handlers = {
  context: (page, message, { pageState }) => pageState.show(page, page.key, message),
  draft: takeDraft,
  flushed: (page, { id }) => page.flushed(id),
  edit: handOver,
  ping: (page) => page.send({ type: "pong" }),
  diffAccepted: accept,
  diffRejected: reject,
  "decide-all": decideAll,
  acceptRest: (_page, { turn, stopAt }, { companion }) => companion?.turns.acceptRest(turn, stopAt),
  stopAccepting: (_page, { turn }, { companion }) => companion?.turns.stop(turn),
  comments: takeComments,
  viewed: (page, message, review) => {
    review.view(message.id, message.hunks);
    // A page marks hunks on the spot, and a written file once it is heard.
    review.pages.send(message, review.store.find(message.id) && { except: page });
  },
  "keep-comments": (_page, { type: _, ...kept }, { companion }) => companion?.comments.add(kept),
  act: async (page, { type: _, ...wanted }, review) => {
    await act(page, wanted.id, () => review.stored.act(wanted));
    if (wanted.list === "written") review.announce("written");
  },
  openFile: (page, { type: _, ...place }, review) =>
    act(page, place.path, async () => void (await review.openFile(place))),
  pause: (_page, { paused }, review) => review.pause(paused),
  review: (_page, { mode }, review) => review.setMode(mode),
  send,
  "keep-edits": keep,
  watch: (page, { paths }, { watch }) => watch.watch(page, paths),
};

/** Does what the user of a page has asked for. */
export function answerPage(page: Page, message: PageMessage, review: Review): void {
  // The type of the table pairs each message with what takes it.
  const handle = handlers[message.type] as (...given: Parameters<typeof answerPage>) => unknown;
  handle(page, message, review);
}

async function send(page: Page, { mentions, text }: PromptMessage, review: Review): Promise<void> {
  const message = { ...(mentions && { mentions }), ...(text !== undefined && { text }) };
  page.send({ type: "sent", ...(await review.send(message)) });
}

function takeComments(
  page: Page,
  { id, comments }: { readonly id: string; readonly comments: readonly Comment[] },
  { store, pages }: Review,
): void {
  // The user may still have been writing when the diff was closed elsewhere.
  store.findAny(id)?.change.saveComments(comments);
  if (store.find(id)) pages.send({ type: "comments", id, comments }, { except: page });
}

/** @param run what is wrong leaves everything as it was @returns whose prompt has something */
async function act(page: Page, id: string, run: () => Promise<string | undefined>): Promise<void> {
  try {
    const agent = await run();
    page.send({ type: "acted", id, ...(agent !== undefined && { agent }) });
  } catch (error) {
    page.send({ type: "acted", id, trouble: messageOf(error) });
  }
}

type Draft = Extract<PageMessage, { type: "draft" }>;

function takeDraft(page: Page, { id, content, revision: seen }: Draft, review: Review): void {
  const { store, pages } = review;
  const held = store.find(id);
  if (!held) {
    // The user was still typing when the diff was closed elsewhere.
    store.findAny(id)?.change.write(content);
    return;
  }
  const { change } = held;
  if (!held.write(content, page, seen)) {
    page.send({ type: "draft-refused", id, revision: change.revision, content: change.text });
    return;
  }
  const { revision } = change;
  page.send({ type: "draft-taken", id, revision });
  pages.send({ type: "draft", id, revision, content }, { except: page });
}

async function handOver(page: Page, { id }: { readonly id: string }, review: Review): Promise<void> {
  (await findFlushed(id, review))?.handOver(page);
}

/**
 * Finds a proposal once the page that edits it has handed in what it had not sent.
 * @param except this page has handed it in with its message
 */
async function findFlushed(
  id: string,
  { store, pages }: Review,
  except?: Page,
): Promise<HeldProposal | undefined> {
  const editor = store.find(id)?.editor;
  if (editor && editor.id !== except?.id) await pages.flush(id, editor);
  return store.find(id);
}

type Acceptance = Extract<PageMessage, { type: "diffAccepted" }>;

async function accept(
  page: Page,
  { type: _, id, revision: seen, content, ...decision }: Acceptance,
  review: Review,
): Promise<void> {
  const { pages, store } = review;
  const held = await findFlushed(id, review, page);
  if (!held) {
    const change = store.findAny(id)?.change;
    const isKept = change !== undefined && ![change.text, change.proposal.newContent].includes(content);
    change?.write(content);
    page.send({ type: "refused", id, reason: whyTooLate(change, isKept) });
    return;
  }
  const { change } = held;
  const isNews = content !== change.text;
  if (isNews && !held.write(content, page, seen)) {
    // It may have missed the change.
    page.send({ type: "draft", id, revision: change.revision, content: change.text });
    page.send({ type: "refused", id, reason: { code: "text-changed" } });
    return;
  }
  const isTaken = settle(page, held, { kind: "accepted", ...decision });
  // Also when the decision is refused, the text is what the user has made of it.
  const { revision } = change;
  if (isNews && !isTaken) pages.send({ type: "draft", id, revision, content }, { except: page });
}

type KeepMessage = Extract<PageMessage, { type: "keep-edits" }>;

function keep(page: Page, { type: _, keepId, ...recovered }: KeepMessage, { stored }: Review): void {
  try {
    const id = stored.keep(recovered);
    page.send({ type: "edits-kept", keepId, id });
  } catch (error) {
    // The page has the text still, and its user sees it there.
    const reasonWhy = messageOf(error);
    page.send({ type: "notice", level: "warning", text: `Your text could not be stored: ${reasonWhy}` });
  }
}

function reject(
  page: Page,
  { type: _, id, ...decision }: Extract<PageMessage, { type: "diffRejected" }>,
  review: Review,
): void {
  const held = review.store.find(id);
  if (held) settle(page, held, { kind: "rejected", ...decision });
  else page.send({ type: "refused", id, reason: whyTooLate(review.store.findAny(id), false) });
}

/** Each as it stands, with its comments. */
async function decideAll(
  page: Page,
  { decision, ids }: Extract<PageMessage, { type: "decide-all" }>,
  review: Review,
): Promise<void> {
  await Promise.all(ids.map((id) => findFlushed(id, review, page)));
  for (const id of ids) {
    const held = review.store.find(id);
    if (!held) continue;
    const { comments } = held.change;
    const result: Decision = decision === "accept" ? acceptanceOf(held.change) : { kind: "rejected" };
    settle(page, held, { ...result, ...(comments.length > 0 && { comments }) });
  }
}

/** The user's own version of a read-only proposal is accepted as in the page that shows it. */
function acceptanceOf({ text, proposal: { newContent, readOnlyReason } }: ShownChange): Decision {
  const ownVersion = readOnlyReason !== undefined && text !== newContent;
  return { kind: "accepted", ...(ownVersion && { ownVersion }) };
}

/** @returns whether the decision counts. */
function settle(page: Page, held: HeldProposal, decision: Decision): boolean {
  const result = resultOn(held, decision);
  if (result.taken && result.notice !== undefined) page.send({ type: "noted", notice: result.notice });
  if (!result.taken) page.send({ type: "refused", id: held.change.id, reason: result.reason });
  return result.taken;
}

function resultOn(held: HeldProposal, decision: Decision): DecisionResult {
  try {
    return held.change.decide(decision);
  } catch (error) {
    const cause = messageOf(error);
    return { taken: false, reason: { code: "not-passed-on", values: [cause] } };
  }
}

function whyTooLate(known: object | undefined, isKept: boolean): Notice {
  if (!known) return { code: "earlier-run" };
  return { code: isKept ? "decided-text-kept" : "decided" };
}
