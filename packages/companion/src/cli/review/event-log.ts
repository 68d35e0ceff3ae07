import type { Proposal } from "../../core/editor.ts";
import { describeEvent, type LogLevel, levelOf, logLevels } from "../../core/event-text.ts";
import type { CompanionEvent } from "../../core/events.ts";
import type { ReviewFrontend } from "../../frontends/review/review-frontend.ts";
import type { Output } from "../invocation.ts";
import { toLabel } from "../terminal/text.ts";

/** The page, as far as it can be seen from the terminal. */
type PageView = Pick<ReviewFrontend, "pages" | "newLink" | "onPages">;

export interface EventLogOptions {
  readonly output: Output;
  readonly level: LogLevel;
  readonly roots: readonly string[];
  readonly home: string;
  readonly page: PageView;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export type EventLog = ReturnType<typeof createEventLog>;

/** A page that is only reloaded is back before this, in milliseconds. */
const reloadTime = 2000;

/** The width of a common agent's name. */
const nameWidth = 10;

/** Tells on the terminal what happens, one line a thing. */
export function createEventLog({ output, page, now = Date.now, ...options }: EventLogOptions) {
  const { paint } = output;
  const waiting = new Map<string, Proposal>();
  let lastLine = "";
  const label = (file: string) => toLabel(file, options.roots, options.home);

  function write(who: string, what: string): void {
    const line = `${paint.plain(who.padEnd(nameWidth))}  ${what}`;
    const isRepeated = line === lastLine && who === "Refused"; // a CLI with an old token asks again and again
    lastLine = line;
    if (!isRepeated) output.line(`  ${paint.dim(new Date(now()).toTimeString().slice(0, 8))}  ${line}`);
  }

  function offer(sentence: string, link: string): void {
    output.line(`            ${paint.plain(sentence)}`);
    output.line(`            ${paint.cyan(link)}`);
  }

  /** With nobody looking, only the terminal can say that a decision is wanted. */
  function callForUser({ agent, filePath }: Proposal): void {
    write(agent, `${paint.yellow("waits for your decision on")} ${paint.bold(label(filePath))}`);
    offer("No page is open. Open one to decide:", page.newLink());
  }

  const stopWatching = watchAbsence(page, () => {
    const [oldest] = waiting.values();
    if (oldest) callForUser(oldest);
  });

  function print(event: CompanionEvent): void {
    if (logLevels.indexOf(levelOf(event)) <= logLevels.indexOf(options.level)) {
      const { who, what } = describeEvent(event, paint, label);
      write(who, what);
    }
    if (event.kind === "diff-settled") waiting.delete(event.proposal.id);
    if (event.kind !== "diff-opened") return;
    waiting.set(event.proposal.id, event.proposal);
    if (page.pages === 0) callForUser(event.proposal);
  }

  return { print, offer, close: stopWatching };
}

/** Calls back when the last page has been closed for good. */
function watchAbsence(page: PageView, onAbsence: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const stopListening = page.onPages((count) => {
    clearTimeout(timer);
    if (count === 0) timer = setTimeout(onAbsence, reloadTime).unref();
  });
  return () => {
    stopListening();
    clearTimeout(timer);
  };
}
