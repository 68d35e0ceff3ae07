import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { answerPage } from "../../../companion/src/frontends/review/conversation.ts";
import { createPage } from "../../../companion/src/frontends/review/page.ts";
import { Review } from "../../../companion/src/frontends/review/review.ts";
import { createTestChange } from "../../../companion/src/testing/test-change.ts";
import type { FrontendMessage, PageMessage, ProposalTexts } from "./api.ts";
import { ProposalReview } from "./proposal-review.ts";

afterEach(() => {
  vi.useRealTimers();
});

const id = "1";

/** A frontend with one proposal. */
async function openFrontend() {
  const review = new Review({ roots: () => [], stampOf: async () => undefined });
  const proposal = {
    id,
    sessionId: "s",
    agent: "Gemini CLI",
    filePath: "/nowhere/a.txt",
    newContent: "proposed",
    base: { kind: "missing" as const },
    openedAt: 0,
  };
  await review.editor.show(createTestChange(proposal));
  const held = review.store.find(id);
  if (!held) throw new Error("there is no proposal");
  const texts = async (): Promise<ProposalTexts> => {
    const { text: draft, revision, comments } = held.change;
    const viewed = review.viewed.get(id) ?? [];
    const original = { kind: "missing" } as const;
    return { id, original, proposed: "proposed", draft, revision, comments, viewed };
  };
  return { review, held, texts };
}
type Frontend = Awaited<ReturnType<typeof openFrontend>>;

/** What the pages of this test take from the frontend. */
const understood = new Set<FrontendMessage["type"]>(["answered", "draft", "flush", "proposals"]);

/** A page whose messages, in both directions, and answers of the API arrive when the test lets them. */
class SlowPage {
  readonly #frontend: Frontend;
  readonly #key: string;
  review: ProposalReview;
  #up: (PageMessage & { readonly ask?: number })[] = [];
  readonly #asked = new Map<number, (answer?: unknown) => void>();
  #count = 0;
  #down: FrontendMessage[] = [];
  #answers: (() => void)[] = [];
  #link: { page: ReturnType<typeof createPage> } | undefined;

  constructor(frontend: Frontend, key: string) {
    this.#frontend = frontend;
    this.#key = key;
    this.review = new ProposalReview({
      id,
      isReadOnly: false,
      api: {
        history: () => Promise.reject(new Error("there is no history here")),
        proposal: () => this.#proposal(),
        file: async () => ({ kind: "missing" }),
        tree: async () => [],
        search: async () => [],
        written: () => Promise.reject(new Error("no agent has written here")),
        marks: async () => [],
        edits: async () => ({ text: "", onDisk: { kind: "missing" } }),
      },
      send: (message) => {
        if (this.#link) this.#up.push(message);
        return this.#link !== undefined;
      },
      ask: (message) => {
        this.#count += 1;
        const ask = this.#count;
        return new Promise((resolve, reject) => {
          if (!this.#link) return reject(new Error("lost"));
          this.#up.push({ ...message, ask });
          this.#asked.set(ask, (answer) => (answer ? resolve(answer as never) : reject(new Error("lost"))));
        });
      },
      prepare: async () => undefined,
    });
    this.review.loaded.subscribe(({ state }) => {
      if (state === "ready") this.#show();
    });
    this.connect();
  }

  /** As the page opens its editor. */
  #show(): void {
    let text = this.review.text() ?? "";
    this.review.attach({
      text: () => text,
      setDraft: (next) => {
        text = next;
      },
      rewrite: (next) => {
        text = next;
        this.review.edited();
      },
    });
  }

  async #proposal(): Promise<ProposalTexts> {
    const texts = await this.#frontend.texts();
    await new Promise<void>((go) => this.#answers.push(go));
    return texts;
  }

  connect(): void {
    if (this.#link) return;
    const socket = {
      OPEN: 1 as const,
      readyState: 1 as const,
      bufferedAmount: 0,
      terminate: () => {},
      send: (text: string) => {
        const message: FrontendMessage = JSON.parse(text);
        if (understood.has(message.type)) this.#down.push(message);
      },
    };
    const page = createPage(socket, this.#key);
    this.#link = { page };
    const roots: string[] = [];
    const welcome = { type: "welcome", instance: "run" } as const;
    this.#frontend.review.greet(page, { ...welcome, roots, separator: "/" });
    void this.review.reconnected();
  }

  disconnect(): void {
    if (!this.#link) return;
    this.#frontend.review.leave(this.#link.page);
    this.#link = undefined;
    this.#up = [];
    this.#down = [];
    for (const answer of this.#asked.values()) answer();
    this.#asked.clear();
  }

  /** One message of this page's arrives at the frontend. @returns whether there was one */
  deliver(): boolean {
    const message = this.#up.shift();
    if (message && this.#link) void answerPage(this.#link.page, message, this.#frontend.review, message.ask);
    return message !== undefined;
  }

  /** One message of the frontend's arrives at the page. @returns whether there was one */
  receive(): boolean {
    const message = this.#down.shift();
    if (message?.type === "draft") this.review.draftReceived(message);
    if (message?.type === "answered") {
      this.#asked.get(message.ask)?.(message.answer);
      this.#asked.delete(message.ask);
    }
    if (message?.type === "flush") {
      this.review.flush();
      this.#up.push({ type: "flushed", id: message.id });
    }
    return message !== undefined;
  }

  /** All messages arrive. */
  async exchange(): Promise<void> {
    while (this.deliver() || this.receive()) await vi.advanceTimersByTimeAsync(0);
  }

  /** One answer of the API arrives at the page. @returns whether there was one */
  answer(): boolean {
    const go = this.#answers.shift();
    go?.();
    return go !== undefined;
  }

  type(words: string): boolean {
    // There is no editor.
    if (this.review.loaded.value.state !== "ready") return false;
    this.review.rewrite((text) => `${text} ${words}`);
    return true;
  }
}

const ways = ["deliver", "receive", "answer"] as const;
const actions = ["type", "type", "pause", ...ways, "exchange", "disconnect", "connect"] as const;
const step = fc.record({ action: fc.constantFrom(...actions), who: fc.constantFrom<[0, 1]>(0, 1) });

type Step = { readonly action: (typeof actions)[number]; readonly who: 0 | 1 };
const steps = (who: Step["who"], ...all: readonly Step["action"][]): Step[] =>
  all.map((action) => ({ action, who }));

const examples: [Step[]][] = [
  // What one page has typed arrives, but not the answer, and another one types on.
  [
    [
      ...steps(0, "answer", "type", "pause", "deliver", "disconnect"),
      ...steps(1, "answer", "exchange", "type", "pause", "exchange"),
      ...steps(0, "connect", "exchange", "answer"),
    ],
  ],
  // What was typed after a reconnection is with the frontend before its answer to the reconnected page arrives.
  [steps(0, "answer", "disconnect", "connect", "type", "pause", "exchange", "answer")],
  // What one page types reaches another one before its texts.
  [[...steps(0, "answer", "type", "pause", "exchange"), ...steps(1, "exchange", "answer")]],
  // A page that loads its texts has no connection while another one types.
  [
    [
      ...steps(1, "disconnect"),
      ...steps(0, "answer", "type", "pause", "exchange"),
      ...steps(1, "connect", "exchange", "answer"),
    ],
  ],
];

test("two pages typing at once lose no word: each is in the proposal's text", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (taken) => {
      const frontend = await openFrontend();
      vi.useFakeTimers();
      const pages = [new SlowPage(frontend, "one"), new SlowPage(frontend, "two")] as const;
      await vi.advanceTimersByTimeAsync(600);
      const typed: string[] = [];
      for (const [index, { action, who }] of taken.entries()) {
        const page = pages[who === 0 ? 0 : 1];
        if (action === "type") {
          if (page.type(`word${index};`)) typed.push(`word${index};`);
        } else if (action === "pause") await vi.advanceTimersByTimeAsync(200);
        else await page[action]();
        await vi.advanceTimersByTimeAsync(0);
      }
      for (const page of pages) page.connect();
      for (let isBusy = true; isBusy; ) {
        await vi.advanceTimersByTimeAsync(1000);
        const moved = pages.flatMap((page) => ways.map((way) => page[way]()));
        isBusy = moved.includes(true);
      }
      for (const word of typed) expect(frontend.held.change.text.split(word), word).toHaveLength(2);
      for (const { review } of pages) expect(review.text()).toBe(frontend.held.change.text);
      frontend.review.close();
      vi.useRealTimers();
    }),
    { numRuns: 1500, examples },
  );
});
