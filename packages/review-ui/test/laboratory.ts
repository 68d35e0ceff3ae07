import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import type { Decision, DecisionResult, EditorContext, Proposal } from "../../companion/src/core/editor.ts";
import { openEditsFolder } from "../../companion/src/core/edits/edits-folder.ts";
import { EditsStore } from "../../companion/src/core/edits/edits-store.ts";
import type { SessionInfo } from "../../companion/src/core/events.ts";
import {
  type ReviewFrontend,
  startReviewFrontend,
} from "../../companion/src/frontends/review/review-frontend.ts";
import { browserOptions } from "../browser.mjs";
import { buildPage } from "../build.mjs";

/** A browser and a build of the page, for all tests of a file. */
export interface Laboratory {
  /** A folder, a frontend and a page of their own. */
  bench(options?: BenchOptions): Promise<Bench>;
  close(): Promise<void>;
}

export interface BenchOptions {
  /** Path in the folder → content. */
  readonly files?: Readonly<Record<string, string | Buffer>>;
  readonly browser?: BrowserContextOptions;
  /** What pauses and resumes. */
  readonly sharing?: { pause(isPaused: boolean): void };
  /** What the agent's side says to a decision. */
  readonly result?: (decision: Decision) => DecisionResult;
}

/** One review frontend with a scripted agent on the one side and a real browser on the other. */
export interface Bench {
  readonly folder: string;
  readonly frontend: ReviewFrontend;
  readonly page: Page;
  readonly session: SessionInfo;
  /** What the browser complained of. */
  readonly complaints: readonly string[];
  readonly decisions: readonly Decision[];
  write(name: string, content: string | Buffer): Promise<string>;
  /** The agent proposes a change of a file in the folder. */
  propose(name: string, newContent: string, agent?: string): Promise<Proposal>;
  /** The agent's user decides in the terminal. @returns the text that the page had */
  closeFromTerminal(proposal: Proposal): Promise<string>;
  /** The companion offers a text that no file holds. */
  recover(proposal: Proposal, text: string, reason: string): void;
  /** Waits until the page has told of a context that fits. */
  context(fits: (context: EditorContext) => boolean): Promise<EditorContext>;
  /** Opens one more page. */
  secondPage(): Promise<Page>;
  /** The companion stops; nobody answers any more. */
  stopFrontend(): Promise<void>;
  /** A new companion at the same port, which still knows the page's cookie. */
  startFrontend(): Promise<void>;
  close(): Promise<void>;
}

/** @param names of hosts that lead to this machine, as whoever owns a domain can make them do */
export async function openLaboratory(names: readonly string[] = []): Promise<Laboratory> {
  const assets = await mkdtemp(join(tmpdir(), "review-page-"));
  await buildPage(assets);
  const rules = [...names.map((name) => `MAP ${name} 127.0.0.1`), "MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1"];
  // The last of two counts.
  const args = [...browserOptions.args, `--host-resolver-rules=${rules.join(" , ")}`];
  const browser = await chromium.launch({ ...browserOptions, args });
  return {
    bench: (options = {}) => setUpBench(browser, assets, options),
    close: async () => {
      await browser.close();
      await rm(assets, { recursive: true, force: true });
    },
  };
}

/** A frontend can be stopped and started again on the same bench. */
interface Post {
  frontend: ReviewFrontend;
  edits: EditsStore;
}

async function setUpBench(browser: Browser, assets: string, options: BenchOptions): Promise<Bench> {
  const home = await mkdtemp(join(tmpdir(), "review-bench-"));
  const folder = join(home, "shop");
  const secret = "the same for both frontends";
  const contexts = listenToContext();
  const start = async (port = 0) => {
    const sharing = options.sharing ? { sharing: options.sharing } : {};
    const frontend = await startReviewFrontend({
      roots: [folder],
      version: "0.0.0",
      assets,
      port,
      secret,
      ...sharing,
    });
    frontend.editor.onContext(contexts.hear);
    const onChange = () => frontend.onEvent({ kind: "edits-changed" });
    const edits = new EditsStore({ folder: openEditsFolder(join(home, "edits")), onChange });
    frontend.useEdits(edits);
    return { frontend, edits };
  };
  const write = async (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
    return path;
  };
  await mkdir(folder);
  for (const [name, content] of Object.entries(options.files ?? {})) await write(name, content);
  const post: Post = await start();
  const { port } = new URL(post.frontend.url);
  const browserContext = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    ...options.browser,
  });
  browserContext.setDefaultTimeout(60_000);
  const page = await browserContext.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error.stack)));
  const agent = createScriptedAgent(post, folder, options.result);
  await page.goto(post.frontend.newLink());
  await page.getByText("shop", { exact: true }).first().waitFor();
  return {
    folder,
    get frontend() {
      return post.frontend;
    },
    page,
    complaints,
    ...agent,
    write,
    context: contexts.wait,
    secondPage: async () => {
      const second = await browserContext.newPage();
      await second.goto(post.frontend.url);
      await second.getByText("shop", { exact: true }).first().waitFor();
      return second;
    },
    stopFrontend: () => post.frontend.close(),
    startFrontend: async () => {
      Object.assign(post, await start(Number(port)));
    },
    close: async () => {
      await browserContext.close();
      await post.frontend.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

function createScriptedAgent(post: Post, folder: string, result: BenchOptions["result"]) {
  const decisions: Decision[] = [];
  const session: SessionInfo = {
    id: "one",
    agent: "Qwen Code",
    client: { name: "scripted", version: "1.2.3" },
    connectedAt: Date.now(),
  };
  let count = 0;

  async function propose(name: string, newContent: string, agent = session.agent): Promise<Proposal> {
    count += 1;
    const filePath = name.startsWith("/") ? name : join(folder, name);
    const proposal = { id: `${count}`, sessionId: "one", agent, filePath, newContent, openedAt: Date.now() };
    const decide = (decision: Decision): DecisionResult => {
      const said = result?.(decision) ?? { taken: true };
      if (!said.taken) return said;
      decisions.push(decision);
      const settlement = { ...decision, by: "user" } as const;
      // As the companion does it: the outcome is news before the decision is answered.
      post.frontend.onEvent({ kind: "diff-settled", proposal, settlement });
      return said;
    };
    await post.frontend.editor.openDiff(proposal, decide, () => {});
    return proposal;
  }

  async function closeFromTerminal(proposal: Proposal): Promise<string> {
    const text = await post.frontend.editor.closeDiff(proposal.id, "agent");
    const settlement = { kind: "closed", reason: "agent" } as const;
    post.frontend.onEvent({ kind: "diff-settled", proposal, settlement });
    if (text !== proposal.newContent) recover(proposal, text, `${proposal.agent} did not write your text.`);
    return text;
  }

  function recover(proposal: Proposal, text: string, reason: string): void {
    const { filePath, agent, newContent: proposed } = proposal;
    const edits = post.edits.add({ filePath, agent, reason, proposed, text });
    post.frontend.onEvent({ kind: "edits-recovered", proposal, edits });
  }

  return { decisions, session, propose, closeFromTerminal, recover };
}

/** What the page has told last, and is going to tell. */
function listenToContext() {
  let last: EditorContext | undefined;
  const listeners = new Set<(context: EditorContext) => void>();
  return {
    hear: (context: EditorContext) => {
      last = context;
      for (const listener of listeners) listener(context);
    },
    wait: (fits: (context: EditorContext) => boolean): Promise<EditorContext> => {
      if (last && fits(last)) return Promise.resolve(last);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          listeners.delete(listen);
          reject(new Error(`no such context came; the last was ${JSON.stringify(last)}`));
        }, 10_000);
        const listen = (context: EditorContext) => {
          if (!fits(context)) return;
          clearTimeout(timer);
          listeners.delete(listen);
          resolve(context);
        };
        listeners.add(listen);
      });
    },
  };
}
