import { signal } from "@preact/signals";
import type { Wording } from "../language/language.ts";
import { createAnnouncer, followTitle } from "./announcer.ts";
import { createApi, explainError, type PageMessage } from "./api.ts";
import type { Ask, Connection } from "./connection.ts";
import { createFrontendState } from "./frontend-state.ts";
import { createPreferences } from "./preferences.ts";
import { createScroll } from "./scroll.ts";
import { createRecoveredEditsStore, createStored } from "./stored.ts";
import { createTabs } from "./tabs.ts";
import { createToasts, type Toasts } from "./toasts.ts";

/** What the controllers of the page build on. */
export type Base = ReturnType<typeof createBase>;

/** @param link undefined before there is a connection: then nothing is sent, and its welcome triggers all reports */
export function createBase(wording: Wording, link: () => Connection | undefined) {
  const send = (message: PageMessage): boolean => link()?.send(message) ?? false;
  const ask: Ask = (message) => link()?.ask(message) ?? Promise.reject(new Error("not connected"));
  const api = createApi(() => link()?.lock(), wording);
  const frontend = createFrontendState();
  const announcer = createAnnouncer();
  const toasts = createToasts(announcer);
  const copy = createCopy(toasts);
  const { t, translate } = wording;
  followTitle(frontend, t);
  const warn = (error: unknown) => toasts.say({ level: "warning", text: translate(explainError(error)) });
  return {
    ...{ wording, send, ask, api, frontend, announcer },
    /** Whether the companion is connected and answers. */
    isAnswering: () => link()?.state.value === "open",
    tabs: createTabs(),
    scroll: createScroll(),
    preferences: createPreferences(),
    toasts,
    /** Says what is wrong. */
    warn,
    copy,
    recovered: createRecoveredEditsStore(ask, (error, { filePath, text }) => {
      const done = t("The text of $1 is in the clipboard.", frontend.paths.value.baseName(filePath));
      const action = { label: t("Copy"), run: () => void copy(text, done) };
      toasts.show({ level: "error", text: translate(explainError(error)), action });
    }),
    isSheetOpen: signal(false),
    keyGuard: createKeyGuard(),
    stored: createStored(ask, warn),
  };
}

/** Puts a text on the clipboard, and says so. */
const createCopy = (toasts: Toasts) => async (text: string, done: string) => {
  try {
    await navigator.clipboard.writeText(text);
    toasts.say({ level: "info", text: done });
  } catch (error) {
    toasts.show({ level: "error", text: explainError(error) });
  }
};

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
