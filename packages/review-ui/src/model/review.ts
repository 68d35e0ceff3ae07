import { type Signal, signal } from "@preact/signals";
import type { Language, Wording } from "../language/language.ts";
import {
  type Api,
  createApi,
  createFileRequests,
  type FileRequests,
  type FrontendMessage,
  type PageMessage,
} from "./api.ts";
import type { DiffCommands, FindCommands } from "./commands.ts";
import { type Connection, createConnection } from "./connection.ts";
import { type ContextReport, createContextReport } from "./context-report.ts";
import { createFolderRows, type FolderRows } from "./folder-rows.ts";
import {
  createFileStamps,
  createFrontendState,
  type FileStamps,
  type FrontendState,
} from "./frontend-state.ts";
import { createGuide, type Guide } from "./guide.ts";
import { createKeyGuard, type KeyGuard } from "./key-guard.ts";
import { type Announcer, createAnnouncer, createNotifier, type Notifier } from "./notifier.ts";
import { createPlaces, type Places } from "./places.ts";
import { createPreferences, type Preferences, recall, remember } from "./preferences.ts";
import { createProposalController, type ProposalController } from "./proposal-controller.ts";
import { createRecoveredEditsStore, type RecoveredEditsStore } from "./recovered-edits.ts";
import { createReferences, type References } from "./references.ts";
import { createTabs, restoreTabs, type Tabs } from "./tabs.ts";
import { createToasts, type Toasts } from "./toasts.ts";
import { createWaiting, type Waiting } from "./waiting.ts";
import { createWaitingComments, type WaitingCommentsStore } from "./waiting-comments.ts";

/** The state and the controllers that the components share. */
export interface Review extends Wording {
  readonly api: Api;
  readonly connection: Connection;
  readonly frontend: FrontendState;
  readonly tabs: Tabs;
  readonly controller: ProposalController;
  readonly waiting: Waiting;
  readonly recovered: RecoveredEditsStore;
  readonly fileRequests: FileRequests;
  readonly context: ContextReport;
  readonly stamps: FileStamps;
  readonly folders: FolderRows;
  readonly guide: Guide;
  readonly waitingComments: WaitingCommentsStore;
  readonly references: References;
  readonly preferences: Preferences;
  readonly notifier: Notifier;
  readonly toasts: Toasts;
  readonly announcer: Announcer;
  /** The commands of the active diff. */
  readonly diff: Signal<DiffCommands | undefined>;
  /** The search of the active tab. */
  readonly finder: Signal<FindCommands | undefined>;
  readonly isSheetOpen: Signal<boolean>;
  readonly keyGuard: KeyGuard;
  readonly places: Places;
  pauseSharing(isPaused: boolean): void;
  /** Reloads the page in another language. */
  chooseLanguage(language: Language): void;
}

export function createReview(wording: Wording): Review {
  // Nothing is sent before there is a connection. Its welcome triggers all reports.
  let link: Connection | undefined;
  const send = (message: PageMessage): boolean => link?.send(message) ?? false;
  const { t, translate } = wording;
  const api = createApi(() => link?.lock(), wording);
  const frontend = createFrontendState();
  const tabs = createTabs();
  const announcer = createAnnouncer();
  const toasts = createToasts(announcer);
  const recovered = createRecoveredEditsStore(api, send);
  const notifier = createNotifier(frontend, t);
  const isSheetOpen = signal(false);
  const keyGuard = createKeyGuard();
  const isAnswering = () => link?.state.value === "open";
  const waitingComments = createWaitingComments({ send, toasts, t });
  const controller = createProposalController({
    paths: frontend.paths,
    keyGuard,
    api,
    send: waitingComments.noteSent,
    tabs,
    recovered,
    notifier,
    toasts,
    announcer,
    isCovered: () => isSheetOpen.value || waiting.question.value !== undefined,
    wording,
    isAnswering,
  });
  const waiting = createWaiting({
    ...{ frontend, tabs, controller, send, isAnswering },
    onUnsent: () => {
      const text = t("The companion cannot be reached: decide again when the connection is back.");
      toasts.show({ level: "warning", text });
    },
  });
  const fileRequests = createFileRequests(send);
  const folders = createFolderRows(api);
  const stamps = createFileStamps(tabs, folders.openPaths, send);
  restoreTabs(tabs);
  const context = createContextReport(tabs, send);
  const references = createReferences({ send, context, frontend, toasts, wording });
  const guide = createGuide({ paths: frontend.paths, tabs, toasts, announcer, isSheetOpen, t });
  const handle = createMessageHandler({
    ...{ frontend, controller, recovered, fileRequests, context, stamps, folders },
    ...{ guide, waitingComments, references, toasts, translate },
  });
  const connection = createConnection({
    url: `ws://${location.host}/socket?page=${pageId()}`,
    onMessage: handle,
    // A socket does not report why it was refused. The API answers 401 then, and locks.
    onFailure: () => void api.tree().catch(() => undefined),
  });
  link = connection;
  connection.state.subscribe((state) => {
    if (state !== "lost") return;
    controller.disconnected();
    references.disconnected();
    fileRequests.disconnected();
  });
  window.addEventListener("pagehide", () => controller.flushAll());
  window.addEventListener("beforeunload", (event) => {
    // Without a connection, unsent edits would be lost.
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
    waiting,
    recovered,
    fileRequests,
    context,
    stamps,
    folders,
    guide,
    waitingComments,
    references,
    preferences,
    notifier,
    toasts,
    announcer,
    diff,
    finder,
    isSheetOpen,
    keyGuard,
    places: createPlaces(),
    pauseSharing: (paused) => {
      send({ type: "pause", paused });
    },
    chooseLanguage: (language) => {
      remember(localStorage, "language", language);
      location.reload();
    },
  };
}

type MessageHandlerParts = Pick<
  Review,
  | "frontend"
  | "controller"
  | "recovered"
  | "fileRequests"
  | "context"
  | "stamps"
  | "folders"
  | "guide"
  | "waitingComments"
  | "references"
  | "toasts"
  | "translate"
>;

function createMessageHandler({
  frontend,
  controller,
  recovered,
  fileRequests,
  context,
  stamps,
  folders,
  guide,
  waitingComments,
  references,
  toasts,
  translate,
}: MessageHandlerParts) {
  return function handle(message: FrontendMessage): void {
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
      case "turns":
        frontend.turns.value = message.turns;
        break;
      case "history":
        frontend.history.value = message.entries;
        controller.historyReceived(message.entries);
        break;
      case "edits":
        recovered.editsReceived(message.edits);
        break;
      case "edits-kept":
        recovered.stored(message.keepId, message.id);
        break;
      case "edits-restored":
      case "undone":
      case "reapplied":
        fileRequests.answered(message.id, message.trouble);
        break;
      case "context":
        frontend.sentContext.value = message;
        break;
      case "comments":
        controller.find(message.id)?.comments.received(message.comments);
        break;
      case "waiting-comments":
      case "comments-delivered":
      case "comments-recovered":
      case "comments-sent":
        waitingComments.take(message);
        break;
      case "rebased":
        controller.find(message.id)?.rebased(message);
        break;
      case "viewed":
        controller.find(message.id)?.viewedReceived(message.hunks);
        break;
      case "draft":
        controller.find(message.id)?.draftReceived(message.revision, message.text);
        break;
      case "draft-taken":
        controller.find(message.id)?.draftAcknowledged(message.revision);
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
        void folders.changed(message.path, message.stamp !== undefined);
        break;
      case "show":
        guide.show(message.path, message.line, message.character);
        break;
      case "sent":
        void references.answered(message);
        break;
      case "notice":
        toasts.say({ level: message.level, text: translate(message.text) });
        break;
    }
  };
}

/**
 * Survives a reload, so that the frontend recognises the page. It is stored only while the page is away: a duplicated tab
 * has a copy of the storage, and is another page.
 */
function pageId(): string {
  const known = recall(sessionStorage, "page");
  const id = typeof known === "string" ? known : crypto.randomUUID();
  window.addEventListener("pagehide", () => remember(sessionStorage, "page", id));
  window.addEventListener("pageshow", () => remember(sessionStorage, "page", null));
  return id;
}
