import type { Edits } from "../../core/edits/recovered-edits.ts";
import type { CompanionEvent, OnCompanionEvent } from "../../core/events.ts";
import type { ReviewFrontend, ReviewFrontendOptions } from "../review/review-frontend.ts";

/** The review page, for what the editor itself cannot show; nothing of it runs until then. */
export interface ReviewFallback {
  readonly onEvent: OnCompanionEvent;
  /** @throws Error when its server cannot be started, or may not be any more. */
  frontend(): Promise<ReviewFrontend>;
  useEdits(edits: Edits): void;
  setRoots(roots: readonly string[]): void;
  /** Lets no page be started from now on; one that there is stays until `close`. */
  seal(): void;
  close(): Promise<void>;
}

export interface ReviewFallbackOptions extends Omit<ReviewFrontendOptions, "roots"> {
  readonly roots: () => readonly string[];
}

export function createReviewFallback({ roots, ...options }: ReviewFallbackOptions): ReviewFallback {
  const past = createPast();
  let started: ReviewFrontend | undefined;
  let starting: Promise<ReviewFrontend> | undefined;
  let edits: Edits | undefined;
  let isSealed = false;

  async function start(): Promise<ReviewFrontend> {
    if (isSealed) throw new Error("the editor has ended");
    const { startReviewFrontend } = await import("../review/review-frontend.ts");
    const frontend = await startReviewFrontend({ roots: roots(), ...options });
    for (const event of past.events()) frontend.onEvent(event);
    if (edits) frontend.useEdits(edits);
    started = frontend;
    return frontend;
  }

  function frontend(): Promise<ReviewFrontend> {
    starting ??= start().catch((error: unknown) => {
      starting = undefined; // the next proposal may have better luck
      throw error;
    });
    return starting;
  }

  return {
    onEvent(event) {
      past.take(event);
      started?.onEvent(event);
    },
    frontend,
    useEdits(next) {
      edits = next;
      started?.useEdits(next);
    },
    setRoots: (next) => started?.setRoots(next),
    seal() {
      isSealed = true;
    },
    async close() {
      const frontend = await starting?.catch(() => undefined); // what did not start has nothing to close
      await frontend?.close();
    },
  };
}

/** What a page that opens later has to know: who is connected, and what they were told last. */
function createPast() {
  const sessions = new Map<string, { opened: CompanionEvent; streaming?: CompanionEvent }>();
  let context: CompanionEvent | undefined;
  let sharing: CompanionEvent | undefined;
  return {
    take(event: CompanionEvent): void {
      if (event.kind === "session-opened") sessions.set(event.session.id, { opened: event });
      if (event.kind === "session-closed") sessions.delete(event.session.id);
      if (event.kind === "context-sent") context = event;
      if (event.kind === "sharing-changed") sharing = event;
      const session = "session" in event ? sessions.get(event.session.id) : undefined;
      if (session && event.kind === "stream-opened") session.streaming = event;
      if (session && event.kind === "stream-closed") delete session.streaming;
    },
    events: (): readonly CompanionEvent[] =>
      [
        ...[...sessions.values()].flatMap(({ opened, streaming }) => [opened, streaming]),
        context,
        sharing,
      ].filter((event) => event !== undefined),
  };
}
