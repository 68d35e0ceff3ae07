import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { startConnected } from "./agent-cli.ts";
import { startFakeCli } from "./fake-cli.ts";
import { gemini } from "./gemini.ts";

/** What the fake CLI and the real ones have alike, where the editor is tried. */
export interface Proposer {
  /** As tabs name it. */
  readonly displayName: string;
  /** Proposes a file of which one piece is replaced. */
  proposeReplace(path: string, before: string, after: string): Promise<void>;
  /** Proposes a whole file. */
  proposeWrite(path: string, content: string): Promise<void>;
  /** Waits until the latest proposal is accepted and written. */
  accepted(): Promise<void>;
  /** Waits until the latest proposal is rejected. */
  rejected(): Promise<void>;
  /** Its user decides against the latest proposal in its terminal. */
  cancelInTerminal(): Promise<unknown>;
  /** Ends it. */
  leave(): Promise<void>;
}

export interface ProposerKind {
  /** In the sentence of a scenario. */
  readonly agent: string;
  readonly matrix: boolean;
  start(sandbox: Sandbox): Promise<Proposer>;
}

/** By what an editor is tried: on each commit, and in the matrix. */
export const proposers: readonly ProposerKind[] = [
  { agent: "a fake CLI", matrix: false, start: (sandbox) => startFakeCli(sandbox) },
  { agent: "Gemini CLI", matrix: true, start: (sandbox) => startConnected(sandbox, gemini) },
];
