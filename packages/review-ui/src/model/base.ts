import { signal } from "@preact/signals";
import type { Wording } from "../language/language.ts";
import { createApi, type PageMessage } from "./api.ts";
import type { Connection } from "./connection.ts";
import { createFrontendState } from "./frontend-state.ts";
import { createAnnouncer, createNotifier } from "./notifier.ts";
import { createRecoveredEditsStore } from "./recovered-edits.ts";
import { createStored } from "./stored.ts";
import { createTabs } from "./tabs.ts";
import { createToasts } from "./toasts.ts";

/** What the controllers of the page build on. */
export type Base = ReturnType<typeof createBase>;

/** @param link undefined before there is a connection: then nothing is sent, and its welcome triggers all reports */
export function createBase(wording: Wording, link: () => Connection | undefined) {
  const send = (message: PageMessage): boolean => link()?.send(message) ?? false;
  const api = createApi(() => link()?.lock(), wording);
  const frontend = createFrontendState();
  const announcer = createAnnouncer();
  return {
    ...{ wording, send, api, frontend, announcer },
    /** Whether the companion is connected and answers. */
    isAnswering: () => link()?.state.value === "open",
    tabs: createTabs(),
    toasts: createToasts(announcer),
    recovered: createRecoveredEditsStore(api, send),
    notifier: createNotifier(frontend, wording.t),
    isSheetOpen: signal(false),
    keyGuard: createKeyGuard(),
    stored: createStored(send),
  };
}

/** Milliseconds without a key after which shortcuts work again. */
const pause = 1000;

/** Blocks shortcuts for a moment when the text that the user types in has closed: the next keys are meant as text. */
export function createKeyGuard(now: () => number = () => performance.now()) {
  let until = Number.NEGATIVE_INFINITY;
  return {
    /** To be called when the text has closed. */
    start: () => {
      until = now() + pause;
    },
    /** To be called for each key. @returns whether to ignore it */
    blocks: () => {
      const isBlocked = now() < until;
      if (isBlocked) until = now() + pause;
      return isBlocked;
    },
  };
}
