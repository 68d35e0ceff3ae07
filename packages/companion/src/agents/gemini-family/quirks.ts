import path from "node:path";
import type { FileText } from "../../files/file-text.ts";
import { toWorkspacePath } from "../../files/workspace-path.ts";
import type { Host } from "../../system/host.ts";
import type { Address, AgentWithCli, DiscoveryFolder } from "../agent.ts";

/** The agent CLI's end of a connection, as it introduced itself. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** What the other end of a connection makes of a diff's text. */
export interface Quirks {
  /** The text that answers `closeDiff`, which this client understands. */
  closeDiffAnswer(content: string, client: ClientInfo): string;
  /** Whether an accepted empty text is ignored and the agent's own text written. */
  readonly ignoresEmptyText: boolean;
  /** Whether it may propose a text without the byte order mark of its file, and then writes it so. */
  readonly dropsByteOrderMark: boolean;
  /** Whether it waits for ever for a decision about a diff whose companion has ended without a word. */
  readonly outwaitsCompanion: boolean;
  /** Whether it opens its next diff only once this one has ended, even where its user has stopped the turn meanwhile. */
  readonly opensOneDiff: boolean;
}

/** The quirks of clients that follow the contract to the letter: none. */
export const plainQuirks: Quirks = {
  closeDiffAnswer: (content) => content,
  ignoresEmptyText: false,
  dropsByteOrderMark: false,
  outwaitsCompanion: false,
  opensOneDiff: false,
};

const mark = "\uFEFF";

/**
 * Gives a proposal back the byte order mark that its file on disk has and its agent forgot; the user sees
 * it in the diff and may still delete it.
 * @see docs/reference/contract.md#4-diffs
 */
export function withByteOrderMark(file: FileText, newContent: string): string {
  const hasMark = file.kind === "text" && file.text.startsWith(mark);
  return hasMark && newContent !== "" && !newContent.startsWith(mark) ? mark + newContent : newContent;
}

/**
 * Whether a screen ends with the prompt of a CLI of this family, and the words that stand in it while nothing is typed.
 * The last line that begins as a prompt does counts: above it are prompts that were sent.
 */
export function hasEmptyPrompt(screen: string): boolean {
  const prompts = [...screen.matchAll(/^[ │]*[>*] +(.*)$/gm)];
  return prompts.at(-1)?.[1]?.trimStart().startsWith("Type your message") ?? false;
}

/** An agent CLI that speaks this family's protocol. */
export interface FamilyAgent extends AgentWithCli {
  readonly quirks: Quirks;
  /** Whether a terminal's screen shows this CLI's prompt, and nothing in it; in doubt no. Absent where nobody can tell. */
  hasEmptyPrompt?(screen: string): boolean;
}

/** What every discovery file of the family says. */
export const toContent = ({ port, roots, token, ide, serverPid }: Address, host: Host) => ({
  port,
  workspacePath: toWorkspacePath(roots, host),
  authToken: token,
  ideInfo: ide,
  serverPid,
});

/** The folder of a CLI's discovery files, behind the one around it, which is ours as well. */
export function ideFolders(host: Host, name: string): [outer: string, inner: string] {
  const outer = path.join(host.tmp, name);
  return [outer, path.join(outer, "ide")];
}

/** Reads all discovery files of the family. A companion that starts needs no schema for it. */
export const read: DiscoveryFolder["read"] = async (text, _, host) =>
  (await import("./read-discovery-file.ts")).readDiscoveryFile(text, host);
