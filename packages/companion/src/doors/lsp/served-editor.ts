import type { Connection, InitializeParams } from "vscode-languageserver";
import { type Companion, startCompanion } from "../../companion.ts";
import type { CompanionEvent } from "../../companion-event.ts";
import { createAsk } from "./asking.ts";
import type { Client } from "./client.ts";
import { createFallbackEditor, type FallbackEditor } from "./fallback-editor.ts";
import { type KeptEdits, toKeptEdits } from "./kept-edits.ts";
import { toLogLine } from "./log-line.ts";
import type { LspDoorOptions } from "./lsp-door.ts";
import { createPlainTier } from "./plain/plain-tier.ts";
import { createPluginTier } from "./plugin-tier.ts";
import { createPresence, type Presence } from "./presence.ts";
import { createReviewFallback, type ReviewFallback } from "./review-fallback.ts";
import { createReviewLink } from "./review-link.ts";
import { createRoots, type Roots } from "./roots.ts";
import type { Tier } from "./tier.ts";
import { createVoice, type Voice } from "./voice.ts";

export interface ServedEditorOptions extends LspDoorOptions {
  readonly connection: Connection;
  readonly params: InitializeParams;
  readonly client: Client;
}

/** An editor from its `initialize` to its end, and the companion that it has meanwhile. */
export class ServedEditor {
  readonly tier: Tier;
  readonly roots: Roots;
  readonly #options: ServedEditorOptions;
  readonly #editor: FallbackEditor;
  readonly #review: ReviewFallback;
  readonly #voice: Voice;
  readonly #presence: Presence = createPresence();
  #starting: Promise<Companion | undefined> | undefined;
  #companion: Companion | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ServedEditorOptions) {
    const { connection, params, client, host, version, assets, openLink } = options;
    this.#options = options;
    const ask = createAsk(connection);
    const voice = createVoice(connection);
    this.#voice = voice;
    const roots = () => this.roots.current;
    const parts = { client, connection, ask, voice, roots };
    this.tier = client.isPlugin
      ? createPluginTier(parts)
      : createPlainTier({ ...parts, host, onFile: (file) => this.roots.fileOpened(file) });
    this.roots = createRoots({ params, isOurs: this.tier.isOurs, onChange: (next) => void this.#move(next) });
    this.#review = createReviewFallback({ roots, version, ...(assets !== undefined && { assets }) });
    const { offer: onReview } = createReviewLink({ client, voice, ask, openLink });
    this.#editor = createFallbackEditor({ primary: this.tier.editor, review: this.#review, onReview });
  }

  /** Never rejects: the user is told why there is no companion. */
  async start(): Promise<void> {
    if (this.#closing) return;
    this.#starting ??= this.#begin();
    await this.#starting;
  }

  /** Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #begin(): Promise<Companion | undefined> {
    const { host } = this.#options;
    try {
      const onEvent = (event: CompanionEvent) => this.#take(event);
      this.#companion = await startCompanion({
        editor: this.#editor,
        roots: this.roots.current,
        host,
        onEvent,
      });
      this.tier.onPresence(this.#presence, this.#companion);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#voice.show("error", `ide-companion could not be started: ${reason}`);
    }
    return this.#companion;
  }

  async #end(): Promise<void> {
    // A proposal on its way to an editor that is gone would start a page, which nobody ends any more.
    this.#review.seal();
    const companion = await this.#starting;
    await companion?.close();
    await this.#review.close();
    this.tier.close();
  }

  /** The editor has other folders open now. */
  async #move(roots: readonly string[]): Promise<void> {
    const companion = await this.#starting;
    if (!companion || this.#closing) return;
    this.#review.setRoots(roots);
    await companion.setRoots(roots);
    this.tier.onPresence(this.#presence, companion);
  }

  #take(event: CompanionEvent): void {
    this.#review.onEvent(event);
    const line = toLogLine(event);
    if (line !== undefined) this.#voice.log(line);
    if (event.kind === "warning") this.#voice.show("warning", event.message);
    // Of a proposal that it has shown itself, the page keeps the edits too.
    const isInReview = event.kind === "diff-settled" && this.#editor.conclude(event.proposal.id);
    if (!isInReview) this.#keepEdits(event);
    if (this.#presence.take(event) && this.#companion) {
      this.tier.onPresence(this.#presence, this.#companion);
    }
  }

  #keepEdits(event: CompanionEvent): void {
    const kept = toKeptEdits(event);
    // At the end the editor keeps what it has; it is not to be asked for anything any more.
    if (!kept || this.#closing) return;
    this.tier.keepEdits(kept).catch((error: Error) => this.#keepInReview(event, kept, error));
  }

  /** The editor has no place for the user's edits, as when the disk is full. */
  async #keepInReview(event: CompanionEvent, { text }: KeptEdits, { message }: Error): Promise<void> {
    try {
      const door = await this.#review.keep(event);
      const place = `The review page has them until this editor ends: ${door.newLink()}`;
      this.#voice.show("error", `${text} They could not be kept here (${message}). ${place}`);
    } catch (error) {
      this.#voice.show(
        "error",
        `${text} They could not be kept: ${message}; and in the review page: ${error}`,
      );
    }
  }
}
