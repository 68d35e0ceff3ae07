import { Listeners } from "../system/listeners.ts";
import { type Context, type ContextOptions, toSharedContext, type Withheld } from "./context.ts";
import type { EditorContext } from "./editor.ts";

/** Quiet time after the last change before it is sent, in milliseconds. */
const debounce = 50;
/** The longest that a change waits while others keep coming, in milliseconds. */
const maxWait = 100;
/** How often the files that were sent are checked on disk, in milliseconds. */
const vanishedCheck = 2000;

/** What the user is looking at now: who subscribes gets every change, bounded in size and in rate. */
export type ContextFeed = ReturnType<typeof createContextFeed>;

export interface ContextFeedOptions extends Pick<ContextOptions, "exists" | "sharing"> {
  /** The editor's notion of trust; left out when it has none. */
  readonly trusted?: () => boolean;
}

export function createContextFeed({ trusted, ...options }: ContextFeedOptions = {}) {
  const changes = new Listeners<[context: Context]>();
  const withholding = new Listeners<[withheld: Withheld, former: Withheld]>();
  const toTell = (context: EditorContext) => toSharedContext(context, { trusted: trusted?.(), ...options });
  let latest: EditorContext = { files: [] };
  let { context: current, withheld } = toTell(latest);
  let sent = JSON.stringify(current);
  let timer: NodeJS.Timeout | undefined;
  let firstChange = 0;
  let lastSent = Number.NEGATIVE_INFINITY;

  function tell() {
    timer = undefined;
    lastSent = performance.now();
    const next = toTell(latest);
    const former = withheld;
    const isWithheld = JSON.stringify(next.withheld) !== JSON.stringify(former);
    withheld = next.withheld;
    const text = JSON.stringify(next.context);
    const isNew = text !== sent;
    sent = text;
    current = next.context;
    // Who shows both shows what was sent together with what was not.
    if (isWithheld) withholding.tell(withheld, former);
    if (isNew) changes.tell(current);
  }

  function tellNow() {
    clearTimeout(timer);
    tell();
  }

  // A file deleted outside of the editor leaves although the editor reports nothing.
  const vanished = setInterval(() => {
    if (changes.size > 0 && !timer) tell();
  }, vanishedCheck).unref();

  return {
    get current() {
      return current;
    },
    get withheld() {
      return withheld;
    },
    refresh: tellNow,
    update(context: EditorContext) {
      latest = context;
      const now = performance.now();
      if (timer) clearTimeout(timer);
      // While changes go on, the wait counts from the last time: one message each 100 ms.
      else firstChange = now - lastSent < maxWait ? lastSent : now;
      // A trailing debounce alone would starve while the user keeps moving.
      timer = setTimeout(tell, Math.max(0, Math.min(debounce, firstChange + maxWait - now)));
    },
    /** Calls back with each new state; never twice in a row with the same. */
    subscribe: changes.add,
    onWithheld: withholding.add,
    close() {
      clearTimeout(timer);
      clearInterval(vanished);
      changes.clear();
      withholding.clear();
    },
  };
}
