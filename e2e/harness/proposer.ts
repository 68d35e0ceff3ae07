import type { Sandbox } from "../../packages/testkit/src/sandbox.ts";
import { type AgentCli, type AgentKind, startAgent } from "./agent-cli.ts";
import { type FakeCli, startFakeCli } from "./fake-cli.ts";
import { gemini } from "./gemini.ts";

/** An agent where the editor is tried: the fake CLI on each commit, the real ones in the matrix. */
export interface Proposer {
  /** As tabs name it. */
  readonly displayName: string;
  /** Proposes a file of which one piece is replaced. */
  proposeReplace(path: string, before: string, after: string): Promise<void>;
  /** Proposes the whole text of a file that is there. */
  proposeWrite(path: string, content: string): Promise<void>;
  /** Waits until what was accepted is written. */
  accepted(): Promise<void>;
  rejected(): Promise<void>;
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
  { agent: "a fake CLI", matrix: false, start: startFakeProposer },
  { agent: "Gemini CLI", matrix: true, start: (sandbox) => startRealProposer(sandbox, gemini) },
];

/** A real CLI. */
export async function startRealProposer(sandbox: Sandbox, kind: AgentKind): Promise<Proposer> {
  const cli: AgentCli = await startAgent(sandbox, kind);
  await cli.connected();
  return {
    displayName: kind.displayName,
    proposeReplace: cli.proposeReplace,
    proposeWrite: cli.proposeWriteAfterReading,
    accepted: cli.finished,
    async rejected() {
      await cli.terminal.waitFor(kind.rejected);
    },
    leave: cli.kill,
  };
}

export async function startFakeProposer(sandbox: Sandbox): Promise<Proposer> {
  const cli: FakeCli = await startFakeCli(sandbox);
  return {
    displayName: "Fake CLI",
    proposeReplace: cli.proposeReplace,
    proposeWrite: cli.proposeWrite,
    async accepted() {
      const { kind } = await cli.finished();
      if (kind !== "accepted") throw new Error(`the change is ${kind}, not accepted`);
    },
    rejected: cli.rejected,
    leave: cli.leave,
  };
}
