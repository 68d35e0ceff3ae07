import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { inject } from "vitest";
import { ReviewSwitch } from "../../companion/src/agents/review-switch.ts";
import { createFileOpener } from "../../companion/src/cli/editor-frontend.ts";
import type { Companion } from "../../companion/src/companion.ts";
import type { Change } from "../../companion/src/core/changes/change.ts";
import { openCommentsFolder } from "../../companion/src/core/comments/comment.ts";
import { CommentsStore } from "../../companion/src/core/comments/comments-store.ts";
import type { Decision, DecisionResult, EditorContext } from "../../companion/src/core/editor.ts";
import { EditsStore } from "../../companion/src/core/edits/edits-store.ts";
import { openEditsFolder } from "../../companion/src/core/edits/recovered-edits.ts";
import type { OnCompanionEvent } from "../../companion/src/core/events.ts";
import { History } from "../../companion/src/core/history/history.ts";
import { openHistoryFolder, type PastDecision } from "../../companion/src/core/history/past-decision.ts";
import { Status } from "../../companion/src/core/status.ts";
import { Turns } from "../../companion/src/core/turns.ts";
import { ReviewModes } from "../../companion/src/core/written/review-mode.ts";
import { WrittenLog } from "../../companion/src/core/written/written-log.ts";
import { WrittenWatch } from "../../companion/src/core/written/written-watch.ts";
import type { AgentChoice } from "../../companion/src/frontends/review/protocol.ts";
import {
  type ReviewFrontend,
  startReviewFrontend,
} from "../../companion/src/frontends/review/review-frontend.ts";
import { browserOptions, shellOptions } from "../../testkit/src/browser.mjs";
import { recordTurn, type TurnOptions } from "./recorded-turn.ts";
import { createScriptedAgent, listenToContext, type Running } from "./scripted-agent.ts";

/** A browser for many tests, one after the other. */
export interface Harness {
  /** Creates a folder with a frontend and a page. */
  fixture(options?: FixtureOptions): Promise<Fixture>;
  close(): Promise<void>;
}

export interface FixtureOptions {
  /** Path in the folder → content. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly browser?: BrowserContextOptions;
  /** Receives the user's pauses. */
  readonly sharing?: { pause(isPaused: boolean): void };
  /** Stands for the prompt of an agent. */
  readonly send?: Companion["send"];
  /** The same for comments that wait. */
  readonly sendComments?: (id: string) => Promise<string | undefined>;
  /** What an empty page tells its user to start. */
  readonly agents?: readonly AgentChoice[];
  /** What its user's settings say opens a file. */
  readonly editorCommand?: readonly string[];
  /** Decisions of earlier runs, about files in the folder. */
  readonly past?: readonly Omit<PastDecision, "id">[];
  /** The agent's answer to a decision. */
  readonly result?: (decision: Decision) => DecisionResult;
}

/** One review frontend with a scripted agent on the one side and a real browser on the other. */
export interface Fixture extends ReturnType<typeof createScriptedAgent> {
  readonly folder: string;
  readonly frontend: ReviewFrontend;
  readonly page: Page;
  /** Errors in the browser's console. */
  readonly complaints: readonly string[];
  write(name: string, content: string | Buffer): Promise<string>;
  /** An agent writes files without asking; null deletes one. */
  turn(
    title: string,
    files: TurnOptions["files"],
    of?: Pick<TurnOptions, "session" | "isOpen">,
  ): Promise<void>;
  /** What its user has said about reviewing what agents write. */
  readonly modes: ReviewModes;
  /** Waits until the page has sent a context that fits. */
  context(fits: (context: EditorContext) => boolean): Promise<EditorContext>;
  /** Opens one more page. */
  secondPage(): Promise<Page>;
  /** Stops the companion. */
  stopFrontend(): Promise<void>;
  /** Starts a companion at the same port, which accepts the page's cookie. */
  startFrontend(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param names hosts that resolve to this machine, as the owner of a domain can make them; with them the browser is a
 *   whole Chromium, whose rules between sites count
 */
export async function openHarness(names: readonly string[] = []): Promise<Harness> {
  const rules = [...names.map((name) => `MAP ${name} 127.0.0.1`), "MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1"];
  const options = names.length > 0 ? browserOptions : shellOptions;
  // The last of two equal options counts.
  const args = [...options.args, `--host-resolver-rules=${rules.join(" , ")}`];
  const browser = await chromium.launch({ ...options, args });
  const lend = createLender(browser);
  // The browser knows the scripts of an origin, and thus of a port: the next companion gets the same one.
  let port = 0;
  return {
    fixture: async (fixtureOptions = {}) => {
      const fixture = await setUpFixture(lend, port, fixtureOptions);
      port = Number(new URL(fixture.frontend.url).port);
      return fixture;
    },
    close: () => browser.close(),
  };
}

/** A page of a browser, and how to give it back. */
type Lend = (options?: BrowserContextOptions) => Promise<{ page: Page; release(): Promise<void> }>;

/**
 * Lends one page again and again, which saves a sixth of the processor time of these tests; who wants more of a browser
 * than the size of its window gets a separate one.
 */
function createLender(browser: Browser): Lend {
  let idle: Page | undefined;
  return async ({ viewport = { width: 1440, height: 900 }, ...others } = {}) => {
    const isPlain = Object.keys(others).length === 0;
    const page = (isPlain && idle) || (await newPage(browser, others));
    if (isPlain) idle = undefined;
    if (viewport) await page.setViewportSize(viewport);
    const release = async () => {
      if (!isPlain) return page.context().close();
      await tidy(page);
      idle = page;
    };
    return { page, release };
  };
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(60_000);
  return context.newPage();
}

/** Takes from a page whatever a test can have left in it. */
async function tidy(page: Page): Promise<void> {
  const context = page.context();
  page.removeAllListeners();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  for (const other of context.pages()) if (other !== page) await other.close();
  // Storage belongs to an origin, whose companion may be gone.
  await page.route("**", (route) => route.fulfill({ contentType: "text/html", body: "" }));
  await page.goto(new URL(page.url()).origin);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.unrouteAll();
  await page.mouse.move(0, 0);
  await page.emulateMedia({ media: null, colorScheme: null, forcedColors: null, reducedMotion: "reduce" });
  await context.clearCookies();
  await context.clearPermissions();
}

/** The user decides by a button. */
export const accept = (page: Page) => page.getByRole("button", { name: "Accept", exact: true }).click();
export const reject = (page: Page) => page.getByRole("button", { name: "Reject", exact: true }).click();
/** Waits until the user can decide: not in the moment in which a proposal has come unasked. */
export const decidable = (page: Page) =>
  page.locator(".panel:not([hidden]) .decision .button-primary:enabled").waitFor();
/** The proposal of a file, by its name. */
export const editorOf = (page: Page, name: string) =>
  page.getByRole("textbox", { name: `${name} as proposed, editable` });

/** Types at the end of the first line of a proposal. */
export async function typeInFirstLine(page: Page, name: string, words: string): Promise<void> {
  await editorOf(page, name).focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  await page.keyboard.type(words);
}

async function setUpFixture(lend: Lend, firstPort: number, options: FixtureOptions): Promise<Fixture> {
  const home = await mkdtemp(join(tmpdir(), "review-fixture-"));
  const folder = join(home, "shop");
  const secret = "the same for both frontends";
  const contexts = listenToContext();
  const pastDecisions = openHistoryFolder(join(home, "history"));
  for (const one of options.past ?? []) {
    const filePath = join(folder, one.filePath);
    pastDecisions.write({ ...one, filePath, id: pastDecisions.newId() }, false);
  }
  const changes = new Map<string, Change>();
  const log = new WrittenLog(join(home, "written"));
  const watches: WrittenWatch[] = [];
  const host = { tmp: home, home, env: {}, delimiter };
  const start = async (port = 0) => {
    const sharing = options.sharing ? { sharing: options.sharing } : {};
    const started = await startReviewFrontend({
      ...{ roots: [folder], assets: inject("assets"), port, secret, ...sharing },
      ...(options.agents && { agents: options.agents }),
      ...(options.editorCommand && { opener: createFileOpener(options.editorCommand) }),
    });
    // As the companion reports what happens: to its owner first, then to its parts.
    const onEvent: OnCompanionEvent = (event) => {
      started.onEvent(event);
      for (const part of [status, history, turns]) part.take(event);
    };
    const frontend: ReviewFrontend = Object.create(started, { onEvent: { value: onEvent } });
    frontend.editor.onContext(contexts.receive);
    const onChange = () => frontend.onEvent({ kind: "edits-changed" });
    const edits = new EditsStore({ folder: openEditsFolder(join(home, "edits")), onChange });
    const status = new Status();
    const sharingAll = { check: async () => false };
    const history: History = new History({
      ...{ folder: pastDecisions, sharing: sharingAll, onWarning: () => {} },
      turnOf: (sessionId) => turns.nameOf(sessionId),
    });
    const turns: Turns = new Turns({
      accept: async (id) => {
        const change = changes.get(id);
        if (!change) return;
        await frontend.editor.hide(change, "agent");
        change.end();
        const { proposal, text: content } = change;
        const settlement = { kind: "accepted", content, by: "rule" } as const;
        frontend.onEvent({ kind: "diff-settled", proposal, settlement });
      },
      sharing: sharingAll,
      roots: () => [folder],
    });
    const waiting = new CommentsStore({
      folder: openCommentsFolder(join(home, "comments")),
      onChange: () => frontend.onEvent({ kind: "comments-changed" }),
    });
    const sendComments = options.sendComments ?? (async () => undefined);
    const send = options.send ?? (async () => ({ kind: "unreached" }) as const);
    const written = new WrittenWatch({ folder: log.folder, onTurn: () => {}, isSecret: async () => false });
    written.start();
    watches.push(written);
    const reviewSwitch = new ReviewSwitch(host, () => [folder]);
    frontend.useCompanion({
      ...{ status, edits, comments: waiting, sendComments, history, written, reviewSwitch, turns, send },
    });
    return { frontend, edits, waiting };
  };
  const write = async (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  };
  await mkdir(folder);
  for (const [name, content] of Object.entries(options.files ?? {})) await write(name, content);
  // Somebody else may have taken it meanwhile.
  const running: Running = await start(firstPort).catch(() => start());
  const { port } = new URL(running.frontend.url);
  const { page, release } = await lend(options.browser);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  const agent = createScriptedAgent(running, changes, folder, options.result);
  await page.goto(running.frontend.newLink());
  await page.getByText("shop", { exact: true }).first().waitFor();
  return {
    folder,
    get frontend() {
      return running.frontend;
    },
    page,
    complaints,
    ...agent,
    write,
    turn: (title, files, of) => recordTurn(log, { ...of, title, files, write, folder }),
    modes: new ReviewModes(host),
    context: contexts.wait,
    secondPage: async () => {
      const second = await page.context().newPage();
      await second.goto(running.frontend.url);
      await second.getByText("shop", { exact: true }).first().waitFor();
      return second;
    },
    stopFrontend: () => running.frontend.close(),
    startFrontend: async () => {
      Object.assign(running, await start(Number(port)));
    },
    close: async () => {
      await release();
      await running.frontend.close();
      for (const watch of watches) watch.close();
      // They still write a moment after the last key.
      for (const store of [running.edits, running.waiting]) store.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
