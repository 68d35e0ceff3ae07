import type { CommonMeans } from "../../../run/subject.ts";
import type { Json } from "../../../wire/json-rpc.ts";
import type { CheckOf } from "../../check.ts";
import type { CodexTarget, StartedCodex } from "../target/socket.ts";
import type { IpcClient } from "../wire/ipc.ts";

/** What a check of this contract may use. */
export interface Means extends CommonMeans<StartedCodex> {
  readonly target: CodexTarget;
  /** Connects as the CLI. @param socket of the companion under test unless given */
  connect(socket?: string): Promise<IpcClient>;
  /** Asks as the CLI does, by a new connection. @returns the response */
  ask(request: object, socket?: string): Promise<Json>;
}

export type CodexCheck = CheckOf<Means>;
