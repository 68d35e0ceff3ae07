import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished } from "vitest";
import type { InitializeParams, InitializeResult } from "vscode-languageserver";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { eventually } from "../../../../../testkit/src/eventually.ts";
import { WireClient } from "../../../../../testkit/src/fake-cli/gemini-family.ts";
import { privateFolder } from "../../../../../testkit/src/private-folder.ts";
import { agents } from "../../../agents/agents.ts";
import type { AgentFamily } from "../../../agents/family.ts";
import { DiscoveryFile } from "../../../agents/gemini-family/contract/discovery.ts";
import type { Host } from "../../../system/host.ts";
import { privateHost } from "../../../testing/core.ts";
import { version } from "../../../version.ts";
import { startReviewFrontend } from "../../review/review-frontend.ts";
import { type LspFrontend, startLspFrontend } from "../lsp-frontend.ts";

/** A message that the frontend has sent unasked. */
export interface Sent {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/** The editor's end of the pipe, in this process, on a machine of the test's own. */
export interface LspClient {
  readonly frontend: LspFrontend;
  readonly connection: MessageConnection;
  readonly host: Host;
  readonly root: string;
  /** The links that would have been opened in a browser. */
  readonly links: string[];
  /** Everything the frontend has sent so far; answers to its requests are given by `connection.onRequest`. */
  readonly reported: readonly Sent[];
  /** `initialize` and `initialized`; resolves once the agents can find the editor. */
  start(params?: Partial<InitializeParams>): Promise<InitializeResult>;
  /** Resolves with the first notification that fits, past or future. */
  hears(method: string, fits?: (params: Record<string, unknown>) => boolean): Promise<Sent["params"]>;
  /** An agent that has found the editor by its file. */
  agent(name?: "gemini" | "qwen"): Promise<WireClient>;
  /** The ids of the proposals that wait in an editor with a plugin, oldest first. */
  waiting(): Promise<readonly string[]>;
  /** The pipe breaks. */
  hangUp(): void;
}

export interface LspClientOptions {
  /** Whether the machine has one in which links are opened; it has by default. */
  readonly hasBrowser?: boolean;
  readonly host?: Host;
  readonly families?: readonly AgentFamily[];
  /** The process in which the editor goes on when its first one is gone. */
  readonly findProcess?: () => Promise<number | undefined>;
}

export function createLspClient({
  hasBrowser = true,
  host = privateHost(),
  families,
  findProcess,
}: LspClientOptions = {}): LspClient {
  const [toFrontend, toEditor] = [new PassThrough(), new PassThrough()];
  const root = privateFolder();
  const links: string[] = [];
  const openLink = async (link: string) => {
    if (hasBrowser) links.push(link);
    return hasBrowser;
  };
  const frontend = startLspFrontend({
    input: toFrontend,
    output: toEditor,
    host,
    version,
    openLink,
    startPage: startReviewFrontend,
    ...(families && { families }),
    ...(findProcess && { findProcess }),
  });
  const connection = createMessageConnection(
    new StreamMessageReader(toEditor),
    new StreamMessageWriter(toFrontend),
  );
  const { reported, hears } = listen(connection);
  connection.listen();
  onTestFinished(async () => {
    await frontend.close();
    connection.dispose();
  });
  return {
    frontend,
    connection,
    host,
    root,
    links,
    reported,
    hears,
    async start(params = {}) {
      const workspaceFolders = [{ uri: pathToFileURL(root).href, name: "root" }];
      const base = { processId: process.pid, rootUri: null, capabilities: {}, workspaceFolders };
      const result = await connection.sendRequest<InitializeResult>("initialize", { ...base, ...params });
      await connection.sendNotification("initialized", {});
      await discoveryContents(host, "gemini");
      return result;
    },
    async agent(name = "gemini") {
      const { port, authToken = "" } = await discoveryContents(host, name);
      return new WireClient(port, authToken).initialize();
    },
    async waiting() {
      const params = { list: "waiting" };
      const { rows } = await connection.sendRequest<{ rows: { id: string }[] }>("companion/list", params);
      return rows.map(({ id }) => id);
    },
    hangUp: () => toFrontend.end(),
  };
}

/** Longer than the frontend itself waits for an editor, twice over, in milliseconds. */
const patience = 30_000;

function listen(connection: MessageConnection) {
  const reported: Sent[] = [];
  const waiting = new Set<() => void>();
  connection.onNotification((method: string, params: unknown) => {
    reported.push({ method, params: isRecord(params) ? params : {} });
    for (const wake of waiting) wake();
  });
  const hears: LspClient["hears"] = (method, fits = () => true) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`no ${method} that fits; there were ${JSON.stringify(reported, null, 1)}`)),
        patience,
      );
      const look = () => {
        const found = reported.find((sent) => sent.method === method && fits(sent.params));
        if (!found) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(found.params);
      };
      waiting.add(look);
      look();
    });
  return { reported, hears };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Absolute paths of the files by which an agent finds companions. */
export function discoveryFiles(host: Host, name: "gemini" | "qwen"): readonly string[] {
  const folders = agents.find((agent) => agent.name === name)?.discoveryFolders(host) ?? [];
  return folders.flatMap((folder) =>
    namesIn(folder.path)
      .filter((file) => folder.parseName(file) !== undefined)
      .map((file) => path.join(folder.path, file)),
  );
}

/** What an agent finds, once there is something to find. */
export function discoveryContents(host: Host, name: "gemini" | "qwen"): Promise<DiscoveryFile> {
  return eventually(() => {
    const [file] = discoveryFiles(host, name);
    expect(file).toBeDefined();
    return DiscoveryFile.parse(JSON.parse(readFileSync(file ?? "", "utf8")));
  });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not made yet
  }
}
