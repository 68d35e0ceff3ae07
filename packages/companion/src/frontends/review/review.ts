import type { Editor, FileLocation, FileOpener, ShownChange } from "../../core/editor.ts";
import type { CompanionEvent } from "../../core/events.ts";
import type { PromptMessage } from "../../core/prompt-message.ts";
import type { Sharing } from "../../core/sharing/sharing.ts";
import { type CompanionStatus, Status } from "../../core/status.ts";
import type { ReviewMode } from "../../core/written/review-mode.ts";
import { readStamp } from "../../files/file-text.ts";
import { confine, createPathLabels, rootOf } from "../../files/workspace-path.ts";
import { messageOf } from "../../system/error-message.ts";
import { type SendAnswer, sendMessage } from "../send-message.ts";
import { createFileWatch, type FileWatch } from "./file-watch.ts";
import { createPages, type Page } from "./page.ts";
import { PageState } from "./page-state.ts";
import { ProposalStore } from "./proposal-store.ts";
import type { FrontendMessage } from "./protocol.ts";
import { type PageCompanion, Stored } from "./stored.ts";

export interface ReviewOptions {
  readonly roots: () => readonly string[];
  /** A file's stamp, as far as a page may know it. */
  readonly stampOf: (path: string) => Promise<string | undefined>;
  readonly sharing?: Pick<Sharing, "pause">;
  readonly opener?: FileOpener;
}

/** How many proposals and files are known to be viewed. */
const maxViewed = 5000;

/** Everything the pages share: what waits, what was decided, who is connected, what the page shows. */
export class Review {
  readonly pages = createPages();
  readonly store: ProposalStore;
  readonly stored: Stored;
  /** What the user has marked: hunks of proposals by their keys, written files by their revisions. By id. */
  readonly viewed = new Map<string, readonly string[]>();
  readonly pageState = new PageState();
  readonly watch: FileWatch;
  readonly editor: Editor;
  companion: PageCompanion | undefined;
  readonly #options: ReviewOptions;
  readonly #lists: Lists;
  #stopListening = () => {};

  constructor(options: ReviewOptions) {
    const { roots, stampOf } = options;
    const { pages } = this;
    this.#options = options;
    const labels = createPathLabels(roots);
    this.store = new ProposalStore(labels);
    this.stored = new Stored(labels, () => this.companion);
    this.#lists = new Lists(
      (name) => this.#makeList(name),
      (message) => pages.send(message),
    );
    this.watch = createFileWatch({
      stampOf,
      onChange: (path, stamp, owners) => {
        pages.send({ type: "changed", path, stamp }, { only: owners });
        this.announce("written");
      },
    });
    this.editor = createReviewEditor(this, roots);
  }

  /** @throws Error with a sentence */
  pause(isPaused: boolean): void {
    try {
      this.#options.sharing?.pause(isPaused);
    } catch (error) {
      throw new Error(`This is not remembered for the next start: ${messageOf(error)}`);
    }
  }

  /** Sets when the user looks at what agents write. @throws Error with a sentence */
  setMode(mode: ReviewMode): void {
    this.companion?.reviewSwitch.set(mode);
    this.announce("status");
  }

  /** A page has a proposal in front, and its user has marked these hunks; or a written file, in this revision. */
  view(id: string, marks: readonly string[]): void {
    const isFirst = !this.viewed.has(id);
    this.viewed.set(id, marks);
    const [oldest] = this.viewed.keys();
    if (this.viewed.size > maxViewed && oldest !== undefined) this.viewed.delete(oldest);
    if (isFirst) this.announce("proposals");
  }

  send(message: PromptMessage): Promise<SendAnswer> {
    const roots = this.#options.roots();
    const [first] = message.mentions ?? [];
    const folder = first && rootOf(first.path, roots);
    return sendMessage(this.companion, message, { roots, ...(folder !== undefined && { folder }) });
  }

  /** Opens a file of the open folders in the user's editor. @throws Error with a sentence */
  async openFile(place: FileLocation): Promise<void> {
    const { roots, opener } = this.#options;
    const confined = await confine(place.path, roots());
    if (!confined) throw new Error(`${place.path} lies outside of the folders opened here.`);
    if ((await readStamp(confined.real)) === undefined) throw new Error(`There is no file ${place.path}.`);
    const refusal = await opener?.open(place).then(() => undefined, messageOf);
    if (refusal !== undefined) throw new Error(`${opener?.name} has not opened ${place.path}: ${refusal}.`);
  }

  /** The roots are others now. */
  relabel(): void {
    for (const name of listNames) this.announce(name);
  }

  readonly onEvent = (event: CompanionEvent): void => {
    const { pages } = this;
    if (event.kind === "warning") pages.notify("warning", event.message);
    if (event.kind === "edits-changed") this.announce("edits");
    if (event.kind === "comments-changed") this.announce("comments");
    if (event.kind === "comments-delivered")
      pages.send({ type: event.kind, agent: event.proposal.agent, by: event.by });
    if (event.kind === "comments-recovered")
      pages.send({ type: event.kind, id: event.proposal.id, comments: event.comments });
  };

  useCompanion(companion: PageCompanion): void {
    this.companion = companion;
    this.#stopListening();
    const stops = [
      companion.status.onChange((part) => this.announce(part === "diffs" ? "proposals" : "status")),
      companion.turns.onChange(() => this.announce("status")),
      companion.history.onChange(() => this.announce("history")),
      companion.written.onChange(() => this.announce("written")),
      companion.reviewSwitch.onChange(() => this.announce("status")),
    ];
    this.#stopListening = () => {
      for (const stop of stops) stop();
    };
    this.relabel();
  }

  /** A page has opened. */
  greet(page: Page, welcome: FrontendMessage): void {
    page.send(welcome);
    this.#lists.greet(page.send);
    this.pages.add(page);
  }

  /** A page's socket is closed. */
  leave(page: Page): void {
    this.pages.remove(page);
    this.pageState.leave(page);
    this.watch.forget(page);
  }

  close(): void {
    this.#stopListening();
    this.#lists.close();
    this.pageState.close();
  }

  /** Pages are sent this list once more. */
  announce(name: ListName): void {
    if (this.pages.count > 0) this.#lists.announce(name);
  }

  async #makeList(name: ListName): Promise<ListMessage> {
    if (name === "proposals") return { type: name, proposals: await this.store.list(this.viewed) };
    if (name === "status") return { type: name, ...this.#status };
    if (name === "written") {
      const records = await this.stored.lists.records(name);
      const viewed = records.filter(({ id, revision }) => this.viewed.get(id)?.includes(revision));
      const decided = await this.stored.decided();
      return { type: "list", list: name, records, viewed: viewed.map(({ id }) => id), decided };
    }
    const records = await this.stored.lists.records(name);
    return { type: "list", list: name, records } as ListMessage; // each list has its records
  }

  get #status() {
    const { sessions, sent: context, withheld }: CompanionStatus = this.companion?.status ?? new Status();
    const turns = this.companion?.turns.list ?? [];
    const { isPaused: paused, excluded } = withheld;
    const review = this.companion?.reviewSwitch.counting ?? [];
    return { sessions, turns, context, excluded, paused, review };
  }
}

/** What the companion sees of the pages: one editor, however many of them are open. */
function createReviewEditor(
  review: Pick<Review, "pages" | "store" | "pageState" | "announce">,
  roots: () => readonly string[],
): Editor {
  const { pages, store, pageState } = review;
  /** Resolves once the pages have handed in what they had not sent; nobody types in what no page has been shown. */
  async function flush({ id }: ShownChange): Promise<void> {
    if (store.findAny(id)?.isListed) await pages.flush(id);
  }

  return {
    info: { name: "review", displayName: "Review page" },
    pid: process.pid,
    onContext: (listener) => pageState.onContext(listener),
    show: async (change) => store.open(change),
    hide: flush,
    flush,
    openFile: async (place) => {
      if (!(await confine(place.path, roots())))
        throw new Error("it lies outside of the folders of this page");
      if (pages.count === 0) throw new Error("no page is open in a browser");
      const { foremost } = pageState;
      pages.send({ type: "show", ...place }, foremost && { only: [foremost] });
    },
    async update(change, { seen, text: content }) {
      await flush(change);
      if (change.text !== seen) return;
      change.write(content);
      const { id } = change;
      store.find(id)?.rebased();
      review.announce("proposals");
      const { newContent: proposed, base: original } = change.proposal;
      pages.send({ type: "draft", id, revision: change.revision, content, against: { original, proposed } });
    },
    showComments: ({ id, comments }) => pages.send({ type: "comments", id, comments }),
  };
}

const listNames = ["status", "proposals", "edits", "comments", "history", "written"] as const;

export type ListName = (typeof listNames)[number];
type ListMessage = Extract<FrontendMessage, { readonly type: ListName | "list" }>;

/**
 * Milliseconds for which changes are collected: one decision changes several lists, some of them repeatedly, and a
 * proposal that is closed within a frame is not shown at all.
 */
const pace = 16;

/** Lists of all there is: pages are sent the whole of one whenever it is another one. */
export class Lists {
  readonly #make: (name: ListName) => Promise<ListMessage>;
  readonly #send: (message: ListMessage) => void;
  readonly #due = new Set<ListName>();
  #timer: NodeJS.Timeout | undefined;
  /** A list that takes longer to make does not overtake a newer one. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(make: (name: ListName) => Promise<ListMessage>, send: (message: ListMessage) => void) {
    this.#make = make;
    this.#send = send;
  }

  /** This list is another one. */
  announce(name: ListName): void {
    this.#due.add(name);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#tell(this.#due, this.#send);
      this.#due.clear();
    }, pace).unref();
  }

  /** Sends a page every list. */
  greet(send: (message: ListMessage) => void): void {
    this.#tell(listNames, send);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #tell(names: Iterable<ListName>, send: (message: ListMessage) => void): void {
    for (const name of names) {
      this.#queue = this.#queue.then(async () => send(await this.#make(name))).catch(() => {});
    }
  }
}
