import { type Signal, signal } from "@preact/signals";
import type { Language, Wording } from "../language/language.ts";
import { type Api, createApi, type FrontendMessage, type PageMessage } from "./api.ts";
import { type Connection, createConnection } from "./connection.ts";
import { type ContextReport, createContextReport } from "./context-report.ts";
import {
  createFileStamps,
  createFrontendState,
  type FileStamps,
  type FrontendState,
} from "./frontend-state.ts";
import { createGuide, type Guide } from "./guide.ts";
import { createKeyHold, type KeyHold } from "./key-guard.ts";
import { type Announcer, type Attention, createAnnouncer, createAttention } from "./notifier.ts";
import { createPreferences, type Preferences, recall, remember } from "./preferences.ts";
import { createProposalController, type ProposalController } from "./proposal-controller.ts";
import { createRecoveredEditsStore, type RecoveredEditsStore } from "./recovered-edits.ts";
import { createTabs, restoreTabs, type Tabs } from "./tabs.ts";
import { createToasts, type Toasts } from "./toasts.ts";

/** Everything the page's parts share. */
export interface Review extends Wording {
  readonly api: Api;
  readonly connection: Connection;
  readonly frontend: FrontendState;
  readonly tabs: Tabs;
  readonly controller: ProposalController;
  readonly recovered: RecoveredEditsStore;
  readonly context: ContextReport;
  readonly stamps: FileStamps;
  readonly guide: Guide;
  readonly preferences: Preferences;
  readonly attention: Attention;
  readonly toasts: Toasts;
  readonly announcer: Announcer;
  /** The commands of the diff in front. */
  readonly diff: Signal<DiffCommands | undefined>;
  /** The search of the tab in front. */
  readonly finder: Signal<FindCommands | undefined>;
  readonly isSheetOpen: Signal<boolean>;
  readonly keyHold: KeyHold;
  /** Agents are sent nothing of what the user looks at, or again. */
  pauseSharing(isPaused: boolean): void;
  /** Starts the page afresh in another language. */
  chooseLanguage(language: Language): void;
}

export function createReview(wording: Wording): Review {
  // Before there is a connection nothing is sent: the frontend's welcome asks for everything.
  let link: Connection | undefined;
  const send = (message: PageMessage): boolean => link?.send(message) ?? false;
  const { t, tell } = wording;
  const api = createApi(() => link?.lock(), wording);
  const frontend = createFrontendState();
  const tabs = createTabs();
  const toasts = createToasts();
  const announcer = createAnnouncer();
  const recovered = createRecoveredEditsStore(api, send);
  const attention = createAttention(frontend, t);
  const isSheetOpen = signal(false);
  const keyHold = createKeyHold();
  const controller = createProposalController({
    paths: frontend.paths,
    keyHold,
    api,
    send,
    tabs,
    recovered,
    attention,
    toasts,
    announcer,
    isSheetOpen,
    wording,
    isAnswering: () => link?.state.value === "open",
  });
  const stamps = createFileStamps(tabs, send);
  restoreTabs(tabs);
  const context = createContextReport(tabs, send);
  const guide = createGuide({ paths: frontend.paths, tabs, toasts, announcer, isSheetOpen, t });
  const hear = createHearing({
    frontend,
    controller,
    recovered,
    context,
    stamps,
    guide,
    toasts,
    announcer,
    tell,
  });
  const connection = createConnection({
    url: `ws://${location.host}/socket?page=${pageId()}`,
    onMessage: hear,
    // A socket does not say why it was refused; the API answers 401 then, and locks.
    onFailure: () => void api.tree().catch(() => undefined),
  });
  link = connection;
  connection.state.subscribe((state) => {
    if (state === "lost") controller.disconnected();
  });
  window.addEventListener("pagehide", () => controller.flushAll());
  window.addEventListener("beforeunload", (event) => {
    // What is unsent goes when the page goes, unless nobody takes it.
    if (connection.state.value !== "open" && controller.hasUnsent()) event.preventDefault();
  });
  const diff = signal<DiffCommands | undefined>(undefined);
  const finder = signal<FindCommands | undefined>(undefined);
  const preferences = createPreferences();
  return {
    ...wording,
    api,
    connection,
    frontend,
    tabs,
    controller,
    recovered,
    context,
    stamps,
    guide,
    preferences,
    attention,
    toasts,
    announcer,
    diff,
    finder,
    isSheetOpen,
    keyHold,
    pauseSharing: (paused) => {
      send({ type: "pause", paused });
    },
    chooseLanguage: (language) => {
      remember(localStorage, "language", language);
      location.reload();
    },
  };
}

type Hearers = Pick<
  Review,
  "frontend" | "controller" | "recovered" | "context" | "stamps" | "guide" | "toasts" | "announcer" | "tell"
>;

function createHearing({
  frontend,
  controller,
  recovered,
  context,
  stamps,
  guide,
  toasts,
  announcer,
  tell,
}: Hearers) {
  return function hear(message: FrontendMessage): void {
    switch (message.type) {
      case "welcome":
        controller.welcomed(message.instance, message.page);
        frontend.welcome.value = message;
        frontend.roots.value = message.roots;
        context.repeat();
        stamps.repeat();
        break;
      case "roots":
        frontend.roots.value = message.roots;
        break;
      case "sessions":
        frontend.sessions.value = message.sessions;
        break;
      case "proposals":
        frontend.proposals.value = message.proposals;
        controller.listed(message.proposals);
        break;
      case "history":
        frontend.history.value = message.entries;
        controller.historyReceived(message.entries);
        break;
      case "edits":
        recovered.editsReceived(message.edits);
        break;
      case "edits-kept":
        recovered.stored(message.keepId);
        break;
      case "edits-restored":
        recovered.restored(message.id, message.trouble);
        break;
      case "context":
        frontend.told.value = message;
        break;
      case "draft":
        controller.find(message.id)?.draftReceived(message.revision, message.text);
        break;
      case "draft-taken":
        controller.find(message.id)?.draftTaken(message.revision);
        break;
      case "draft-refused":
        controller.draftRefused(message.id, message.revision, message.text);
        break;
      case "flush":
        controller.flush(message.id);
        break;
      case "refused":
        controller.refused(message.id, message.reason);
        break;
      case "changed":
        stamps.changed(message.path);
        controller.changedOnDisk(message.path, message.stamp);
        break;
      case "show":
        guide.show(message.path, message.line, message.character);
        break;
      case "notice": {
        const text = tell(message.text);
        announcer.say(text);
        toasts.show({ level: message.level, text });
        break;
      }
    }
  };
}

/** Survives a reload: the frontend then knows that it is the same page. */
function pageId(): string {
  const known = recall(sessionStorage, "page");
  if (typeof known === "string") return known;
  const id = crypto.randomUUID();
  remember(sessionStorage, "page", id);
  return id;
}

/** What can be done with the diff in front, by key or by button. */
export interface DiffCommands {
  goTo(direction: 1 | -1): void;
  /** Keeps the change under the cursor, or no longer. */
  keep(): void;
  revert(): void;
  accept(): void;
  reject(): void;
  toggleUnchanged(): void;
  /** Puts the cursor into the text. */
  enter(): void;
  /** Leads out of the text. */
  leave(): void;
}

/** The search of a tab, by key. */
export interface FindCommands {
  open(): void;
  /** @returns false when nothing is searched */
  step(direction: 1 | -1): boolean;
}
