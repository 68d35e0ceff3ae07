import { signal } from "@preact/signals";
import type { Language, Wording } from "../language/language.ts";
import type { FrontendMessage, ReviewMode } from "./api.ts";
import { type Base, createBase } from "./base.ts";
import type { DiffCommands, FindCommands } from "./commands.ts";
import { Connection } from "./connection.ts";
import { type ContextReport, createContextReport } from "./context-report.ts";
import { FolderRows } from "./folder-rows.ts";
import { createFileStamps } from "./frontend-state.ts";
import { createOwnDecisions } from "./own-decisions.ts";
import { assign, recall, remember } from "./preferences.ts";
import { ProposalController } from "./proposal-controller.ts";
import { createWaitingComments } from "./proposal-notices.ts";
import { createReferences } from "./references.ts";
import { createPlaces, restoreTabs, tabId } from "./tabs.ts";
import { isDragging, isWriting } from "./user-focus.ts";
import { createWaiting, type Waiting } from "./waiting.ts";
import { createWritten } from "./written.ts";

/** The state and the controllers that the components share. */
export type Review = ReturnType<typeof createReview>;

export function createReview(wording: Wording) {
  // Nothing is sent before there is a connection. Its welcome triggers all reports.
  let link: Connection | undefined;
  const parts = createParts(wording, () => link);
  const { api, ask, controller, warn } = parts;
  const handlers = createHandlers(parts);
  const connection = new Connection({
    url: `ws://${location.host}/socket?page=${pageId()}`,
    onMessage: (message) => handle(handlers, message.type, message),
    // A socket does not report why it was refused. The API answers 401 then, and locks.
    isThere: () =>
      api.tree().then(
        () => true,
        ({ status }) => status !== 0,
      ),
  });
  link = connection;
  connection.state.subscribe((state) => {
    if (state === "lost") controller.disconnected();
  });
  // Firefox closes the socket before `pagehide`. A page that is discarded gets that alone.
  for (const name of ["beforeunload", "pagehide"]) window.addEventListener(name, () => controller.flushAll());
  window.addEventListener("beforeunload", (event) => {
    // Without a connection, unsent edits would be lost.
    if (connection.state.value !== "open" && controller.hasUnsent()) event.preventDefault();
  });
  return {
    ...parts,
    connection,
    places: createPlaces(),
    /** The commands of the active diff. */
    diff: signal<DiffCommands | undefined>(undefined),
    /** The search of the active tab. */
    finder: signal<FindCommands | undefined>(undefined),
    pauseSharing: (paused: boolean) => void ask({ type: "pause", paused }).catch(warn),
    /** Sets when the user looks at what agents write. */
    setReviewMode: (mode: ReviewMode) => void ask({ type: "review", mode }).catch(warn),
    /** Reloads the page in another language. */
    chooseLanguage: (language: Language) => {
      remember(localStorage, "language", language);
      location.reload();
    },
  };
}

function createParts(wording: Wording, link: () => Connection | undefined) {
  const base = createBase(wording, link);
  const { api, send, tabs, isSheetOpen } = base;
  const waitingComments = createWaitingComments(base);
  const context = createContextReport(tabs, send);
  const references = createReferences(base, context);
  const own = createOwnDecisions(base, references);
  const controller = new ProposalController({
    ...base,
    own,
    noteSent: waitingComments.noteSent,
    isCovered: () => isSheetOpen.value || waiting.question.value !== undefined,
    showInScroll: (id) => waiting.showInScroll(id),
  });
  const waiting: Waiting = createWaiting(base, controller);
  const folders = new FolderRows(api);
  const stamps = createFileStamps(tabs, folders.openPaths, send);
  const written = createWritten(base, stamps);
  restoreTabs(tabs);
  const guide = createGuide(base, context);
  return {
    ...{ ...wording, ...base, own, controller, waitingComments, waiting, written },
    ...{ stamps, folders, context, references, guide },
  };
}

/** A position in a file that an agent or the user wants to see. */
export interface RequestedPosition {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly character: number;
}

/** Opens files at a position, for agents and for the user. */
function createGuide(
  { ask, frontend, tabs, toasts, announcer, isSheetOpen, warn, wording: { t } }: Base,
  context: ContextReport,
) {
  const wanted = signal<RequestedPosition | undefined>(undefined);

  const open = (path: string, line?: number, character?: number, options?: { readonly focus: boolean }) => {
    toasts.retract(tabId({ kind: "file", subject: path }));
    if (line !== undefined) wanted.value = { path, line, character: character ?? 1 };
    tabs.open({ kind: "file", subject: path }, options);
  };

  return {
    /** The editor goes there once it has the text of the file, and then sets it to undefined. */
    wanted,
    /** Opens it, at the user's request. */
    open,
    /** The same in their editor. */
    openInEditor: async (path: string, line = context.line(path)) => {
      const { editor } = frontend.welcome.value ?? {};
      const name = frontend.paths.value.baseName(path);
      const text = editor
        ? t("Opened in $1: $2", editor, name)
        : t("Your settings name no editor that opens files: editorCommand in config.json does.");
      try {
        if (editor) await ask({ type: "openFile", path, line });
        toasts.say({ level: "info", text });
      } catch (error) {
        warn(error);
      }
    },
    show: (path: string, line?: number, character?: number) => {
      const name = frontend.paths.value.baseName(path);
      const label = line === undefined ? name : t("$1, line $2", name, line);
      // The user reads or edits a proposal in front: nothing replaces it without a request.
      const isFree = tabs.active.value === undefined || tabs.active.value.kind === "file";
      if (isFree && !isWriting() && !isDragging() && !isSheetOpen.value) {
        announcer.announce(t("An agent shows you $1.", label));
        open(path, line, character);
        return;
      }
      const text = t("An agent wants to show you $1.", label);
      const action = { label: t("Show it"), run: () => open(path, line, character) };
      toasts.say({ level: "info", text, subject: tabId({ kind: "file", subject: path }), action });
    },
  };
}

type Messages = {
  readonly [Type in Exclude<FrontendMessage["type"], "answered">]: Extract<
    FrontendMessage,
    { readonly type: Type }
  >;
};

/** What the page does with each message of the frontend. */
type Handlers = { readonly [Type in keyof Messages]: (message: Messages[Type]) => unknown };

function createHandlers(parts: ReturnType<typeof createParts>): Handlers {
  const { frontend, controller, recovered, context, stamps, folders, guide } = parts;
  const { waitingComments, written, toasts, translate } = parts;
  const find = (id: string) => controller.find(id);
  return {
    welcome: (message) => {
      controller.welcomed(message.instance);
      frontend.welcome.value = message;
      frontend.roots.value = message.roots;
      context.repeat();
      stamps.repeat();
    },
    roots: ({ roots }) => assign(frontend.roots, roots),
    status: (message) => assign(frontend.status, message),
    proposals: ({ proposals }) => controller.listed(proposals),
    list: (message) => {
      if (message.list === "edits") recovered.received(message.records);
      if (message.list === "written") written.received(message);
      if (message.list === "comments") frontend.comments.value = message.records;
      if (message.list !== "history") return;
      frontend.history.value = message.records;
      controller.notices.historyReceived(message.records);
    },
    comments: ({ id, comments }) => find(id)?.comments.received(comments),
    "comments-delivered": waitingComments.delivered,
    "comments-recovered": waitingComments.recovered,
    viewed: ({ id, hunks }) => {
      find(id)?.viewedReceived(hunks);
      written.viewedReceived(id, hunks);
    },
    draft: (message) => find(message.id)?.draftReceived(message),
    flush: ({ id }) => controller.flush(id),
    changed: ({ path, stamp }) => {
      stamps.changed(path);
      void folders.changed(path, stamp !== undefined);
    },
    show: ({ path, line, character }) => guide.show(path, line, character),
    notice: ({ level, text }) => toasts.say({ level, text: translate(text) }),
  };
}

function handle<Type extends keyof Messages>(handlers: Handlers, type: Type, message: Messages[Type]): void {
  handlers[type]?.(message); // a newer companion may send others
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
