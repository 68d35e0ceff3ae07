import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";
import { WireClient } from "../../../testkit/src/fake-cli/gemini-family.ts";
import { privateFolder } from "../../../testkit/src/private-folder.ts";
import { DiscoveryFile } from "../agents/gemini-family/contract/discovery.ts";
import { type Companion, type ServingOptions, startServing } from "../companion.ts";
import type { CompanionEvent } from "../core/events.ts";
import type { Host } from "../system/host.ts";
import { MemoryEditor } from "./memory-editor.ts";

/** A machine of the test's own. */
export function privateHost(folder = privateFolder()): Host {
  return { tmp: folder, home: join(folder, "home"), env: {}, delimiter };
}

export interface Core {
  readonly companion: Companion;
  readonly editor: MemoryEditor;
  readonly events: CompanionEvent[];
  readonly root: string;
  readonly host: Host;
  /** A client with the token of the agent of this name. */
  client(agent?: "gemini" | "qwen", protocol?: string): WireClient;
}

/** A companion with an editor in memory, on a private machine, closed after the test. */
export async function startCore(options: Partial<ServingOptions> = {}): Promise<Core> {
  const root = privateFolder();
  const host = privateHost();
  const editor = new MemoryEditor();
  const events: CompanionEvent[] = [];
  const companion = await startServing({
    editor,
    roots: [root],
    host,
    onEvent: (event) => events.push(event),
    ...options,
  });
  onTestFinished(() => companion.close());
  const client = (agent: "gemini" | "qwen" = "gemini", protocol?: string) =>
    new WireClient(companion.port, tokenOf(companion, agent), protocol);
  return { companion, editor, events, root, host, client };
}

/** As a CLI gets it: from its discovery file. */
function tokenOf(companion: Companion, agent: "gemini" | "qwen"): string {
  const file = companion.discoveryFiles.find((path) => path.includes(agent));
  if (!file) throw new Error(`no discovery file of ${agent}: ${companion.discoveryFiles.join(", ")}`);
  const { authToken = "" } = DiscoveryFile.parse(JSON.parse(readFileSync(file, "utf8")));
  return authToken;
}
