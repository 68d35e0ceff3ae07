import path from "node:path";
import type { Connection, InitializeParams } from "vscode-languageserver";
import { agents } from "../../agents/agents.ts";
import { describeKilled } from "../../agents/discovery/killed-companion.ts";
import type { AgentFamily } from "../../agents/family.ts";
import { type ServedCompanion, startServing } from "../../companion.ts";
import type { Editor } from "../../core/editor.ts";
import { toLogLine } from "../../core/event-text.ts";
import type { CompanionEvent } from "../../core/events.ts";
import {
  combineRules,
  defaultExclusions,
  noRules,
  parseUserRules,
  type UserRules,
} from "../../core/sharing/exclusion.ts";
import { createSharing, type Sharing } from "../../core/sharing/sharing.ts";
import { Status } from "../../core/status.ts";
import { createDeferred } from "../../system/deferred.ts";
import { messageOf } from "../../system/error-message.ts";
import type { Host } from "../../system/host.ts";
import type { PageAnswer } from "../protocol/messages.ts";
import type { Client } from "./client.ts";
import { createRoots, type Roots, repositoryOf } from "./file-uri.ts";
import { createAsk, Notifier } from "./notifier.ts";
import { createPlainTier } from "./plain/plain-tier.ts";
import { createPluginTier } from "./plugin-tier.ts";
import {
  createReviewFallback,
  createReviewLink,
  type OpenLink,
  type ReviewFallback,
  type StartReviewPage,
} from "./review-fallback.ts";
import { createSharedEditor } from "./shared-editor.ts";
import type { Tier } from "./tier.ts";

export interface ServedEditorOptions extends LspFrontendOptions {
  readonly connection: Connection;
  readonly params: InitializeParams;
  readonly client: Client;
}

/** An editor from its `initialize` to its end, and the companion that it has meanwhile. */
export class ServedEditor {
  readonly tier: Tier;
  readonly roots: Roots;
  readonly #options: ServedEditorOptions;
  readonly #editor: Editor;
  readonly #openPage: () => Promise<PageAnswer>;
  readonly #review: ReviewFallback;
  readonly #rules: UserRules;
  readonly #sharing: Sharing;
  readonly #notifier: Notifier;
  /** What was asked before `initialized` waits for it too. */
  readonly #start = createDeferred<ServedCompanion | undefined>();
  readonly #starting = this.#start.promise;
  #isBegun = false;
  #companion: ServedCompanion | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ServedEditorOptions) {
    const { connection, params, client, host, startPage, openLink } = options;
    this.#options = options;
    // In an editor's settings its user may write what others write in our configuration file.
    const settings = parseUserRules(params.initializationOptions, "initializationOptions");
    this.#rules = combineRules(options.rules ?? noRules, settings);
    const ask = createAsk(connection);
    const notifier = new Notifier(connection);
    this.#notifier = notifier;
    const roots = () => this.roots.current;
    const status = () => this.#companion?.status ?? new Status();
    const pause = (isPaused: boolean) => {
      this.#sharing.pause(isPaused);
      return isPaused ? "Sharing is paused: agents do not see what you look at." : "Sharing is resumed.";
    };
    const started = () => this.#starting;
    const onFile = (file: string) => this.roots.fileOpened(file);
    const createTier = client.plugin ? createPluginTier : createPlainTier;
    this.tier = createTier({
      client,
      connection,
      host,
      status,
      ask,
      notifier,
      roots,
      pause,
      openPage: () => this.#openPage(),
      started,
      onFile,
    });
    this.roots = createRoots({
      params,
      isOurs: this.tier.isOurs,
      onChange: (next) => void this.#move(next),
      toRoot: (folder) => (client.plugin?.repositories && repositoryOf(folder, host.home)) || folder,
    });
    const { exclude, excludeGitIgnored } = this.#rules;
    this.#sharing = createSharing({
      host,
      roots,
      exclude: () => [...defaultExclusions, ...exclude],
      excludeGitIgnored: () => excludeGitIgnored,
    });
    const { info, openFile } = this.tier.editor;
    const opener = openFile && { name: info.displayName, open: openFile };
    this.#review = createReviewFallback({
      startPage,
      roots,
      sharing: this.#sharing,
      ...(opener && { opener }),
    });
    const link = createReviewLink({ client, notifier, ask }, openLink);
    const shared = createSharedEditor(this.tier.editor, this.#review, link.announce);
    this.#editor = shared.editor;
    this.#openPage = async () => link.open(await shared.openPage());
  }

  /** Never rejects: the user hears why there is no companion. */
  async start(): Promise<void> {
    if (!this.#closing && !this.#isBegun) {
      this.#isBegun = true;
      this.#start.resolve(this.#begin());
    }
    await this.#starting;
  }

  /** Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #begin(): Promise<ServedCompanion | undefined> {
    const { host, families } = this.#options;
    // Git has started this editor for a message: it ends soon, and a CLI would follow it and be left alone.
    if (host.env.GIT_EXEC_PATH !== undefined && host.env.GIT_PREFIX !== undefined) return undefined;
    const killed = describeKilled(this.roots.current, agents, host);
    for (const message of [...this.#rules.problems, ...killed]) this.#notifier.show("warning", message);
    try {
      const onEvent = (event: CompanionEvent) => this.#take(event);
      this.#companion = await startServing({
        editor: this.#editor,
        roots: this.roots.current,
        host,
        sharing: this.#sharing,
        agentAccept: () => this.#rules.agentAccept,
        onEvent,
        ...(families && { families }),
      });
      const companion = this.#companion;
      this.#review.useCompanion(companion);
      companion.status.onChange((part) => part !== "sent" && this.tier.onStatus(companion));
      this.tier.onStatus(companion);
    } catch (error) {
      const reason = messageOf(error);
      this.#notifier.show("error", `ide-companion could not be started: ${reason}`);
    }
    return this.#companion;
  }

  async #end(): Promise<void> {
    // A proposal on its way to an editor that is gone would start a page, which nobody ends any more.
    this.#review.seal();
    this.#start.resolve(undefined); // it may have ended before `initialized`
    const companion = await this.#starting;
    await companion?.close();
    this.#sharing.close();
    await this.#review.close();
    this.tier.close();
  }

  /** The editor has other folders open now. */
  async #move(roots: readonly string[]): Promise<void> {
    const companion = await this.#starting;
    if (!companion || this.#closing) return;
    this.#review.setRoots(roots);
    await companion.setRoots(roots);
    this.tier.onStatus(companion);
  }

  #take(event: CompanionEvent): void {
    this.#review.onEvent(event);
    const line = toLogLine(event);
    if (line !== undefined) this.#notifier.log(line);
    if (event.kind === "warning") this.#notifier.show("warning", event.message);
    if (event.kind === "file-checked") this.#warnOfFile(event);
    // At the end the editor is not to be asked for anything any more.
    if (!this.#closing) this.tier.onEvent(event).catch((error: Error) => this.#notifier.log(error.message));
  }

  /** An accepted change that was cancelled in the agent's terminal, say. Edits that no file holds are offered instead. */
  #warnOfFile({ proposal, result, wasEdited }: Extract<CompanionEvent, { kind: "file-checked" }>): void {
    if (wasEdited || result === "written" || this.#closing) return;
    const [agent, name] = [proposal.agent, path.basename(proposal.filePath)];
    const message =
      result === "not-written"
        ? `${agent} did not write ${name}: the file is as it was before you accepted.`
        : `${agent} wrote ${name} differently from what you accepted.`;
    this.#notifier.show("warning", message);
  }
}

export interface LspFrontendOptions {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly host: Host;
  /** The companion's version. */
  readonly version: string;
  /** For proposals that the editor cannot show. */
  readonly startPage: StartReviewPage;
  readonly openLink: OpenLink;
  /** What the user allows the agents. */
  readonly rules?: UserRules;
  /** Of an editor that may go on in another process than its first: the present one. Undefined when it has ended. */
  readonly findProcess?: () => Promise<number | undefined>;
  /** The families of agents to serve; all that there are by default. */
  readonly families?: readonly AgentFamily[];
}
