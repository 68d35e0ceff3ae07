import type { Connection, ServerCapabilities } from "vscode-languageserver";
import { describeReview } from "../../agents/review-switch.ts";
import type { ServedCompanion } from "../../companion.ts";
import type { Editor } from "../../core/editor.ts";
import type { CompanionEvent } from "../../core/events.ts";
import type { CompanionStatus } from "../../core/status.ts";
import type { ReviewMode } from "../../core/written/review-mode.ts";
import type { Host } from "../../system/host.ts";
import type { PageAnswer } from "../protocol/messages.ts";
import type { Client } from "./client.ts";
import type { Ask, Notifier } from "./notifier.ts";

export interface TierOptions {
  readonly client: Client;
  readonly connection: Connection;
  readonly ask: Ask;
  readonly notifier: Notifier;
  readonly host: Host;
  readonly roots: () => readonly string[];
  readonly status: () => CompanionStatus;
  /** @returns a sentence for the user @throws Error with one, when that is not remembered */
  readonly pause: (isPaused: boolean) => string;
  /** Shows what waits on the review page too. @returns what to say to the user @throws Error with a sentence */
  readonly openPage: () => Promise<PageAnswer>;
  /** Resolves once the companion has started; undefined where it cannot. */
  readonly started: () => Promise<ServedCompanion | undefined>;
  /** A file of the user's was opened, in an editor that tells of documents. */
  readonly onFile: (file: string) => void;
}

/** One of the two ways in which editors are served: by LSP alone, or by our own messages. */
export interface Tier {
  readonly editor: Editor;
  readonly capabilities: ServerCapabilities;
  /** Whether a folder is ours and not the user's, whatever the editor makes of it. */
  isOurs(folder: string): boolean;
  /** Who is connected, what waits or where has changed. */
  onStatus(companion: ServedCompanion): void;
  /** Says what the user has to know of it: edits that no file holds, and what has become of comments. */
  onEvent(event: CompanionEvent): Promise<void>;
  close(): void;
}

/** The companion once it has started. @throws Error with a sentence where it cannot */
export async function running({ started }: Pick<TierOptions, "started">): Promise<ServedCompanion> {
  const companion = await started();
  if (!companion) throw new Error("The companion is not running.");
  return companion;
}

/**
 * Sets when the user looks at what agents write, where a mode is given.
 * @returns what counts, as a sentence
 * @throws as `running`, or `ReviewSwitch.set`
 */
export async function review(options: Pick<TierOptions, "started">, mode?: ReviewMode): Promise<string> {
  const { reviewSwitch } = await running(options);
  if (mode !== undefined) reviewSwitch.set(mode);
  return describeReview(reviewSwitch.counting);
}

/** Who is connected, what waits and which mode counts, as sentences. */
export function describeStatus({ port, status, reviewSwitch }: ServedCompanion): string {
  const names = status.sessions.map(({ agent }) => agent).join(", ") || "nobody yet";
  const modes = reviewSwitch.counting.map(({ mode }) => mode).join(", ") || "no folder";
  const paused = status.withheld.isPaused ? " Sharing is paused." : "";
  return `Port ${port}. Connected: ${names}. Waiting for you: ${status.diffs.length}. Review: ${modes}.${paused}`;
}
