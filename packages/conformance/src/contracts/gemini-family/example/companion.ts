import { rmSync } from "node:fs";
import { agentNames } from "../../../agents.ts";
import { ExampleEditor, serveEditor, textOf } from "../../../example/editor.ts";
import { readSystemFolders, type SystemFolders } from "../../../target/folders.ts";
import { createFeed } from "./context.ts";
import { type Announcement, announce } from "./discovery.ts";
import type { Tokens } from "./guard.ts";
import { goodRules, type Rules } from "./rules.ts";
import { ExampleServer } from "./server.ts";

export interface ExampleOptions {
  readonly systemFolders: SystemFolders;
  readonly folders: readonly string[];
  /** How it differs from a good one. */
  readonly rules?: Partial<Rules>;
}

export interface Example {
  readonly port: number;
  readonly editor: ExampleEditor;
  /** The signals that end it cleanly. */
  readonly endsBy: readonly NodeJS.Signals[];
  close(): void;
}

/**
 * A complete companion for a simulated editor: small enough to read, and good enough to pass every check. A changed
 * rule makes it a broken one.
 */
export async function startExample(options: ExampleOptions): Promise<Example> {
  const rules = { ...goodRules, ...options.rules };
  const editor = new ExampleEditor(options.folders, textOf);
  const tokens: Tokens = new Map(agentNames.map((agent) => [agent, rules.newToken()]));
  const feed = createFeed(editor, rules, (context) => server.sendContext(context));
  const server = new ExampleServer({ rules, editor, tokens, context: feed.current });
  let files: string[] = [];
  const publish = (port: number) => {
    const announcement: Announcement = { port, pid: process.pid, tokens, folders: editor.folders };
    editor.environment = rules.environment(announcement);
    files = announce(options.systemFolders, announcement, rules);
  };
  rules.sweep(options.systemFolders);
  if (rules.filesFirst) publish(rules.port);
  await server.listen();
  publish(server.port);
  editor.on("folders", () => rules.rewrites && publish(server.port));
  return {
    port: server.port,
    editor,
    endsBy: rules.endsBy,
    close() {
      if (!rules.ends) return;
      // First, so that no more CLIs connect.
      if (rules.removes) for (const file of files) rmSync(file, { force: true });
      feed.close();
      server.close();
    },
  };
}

/** The example as the whole of a process: a companion for the current folder, driven by `editor-command.js`. */
export async function startExampleProcess(rules: Partial<Rules> = {}): Promise<void> {
  const systemFolders = readSystemFolders(process.env);
  const example = await startExample({ systemFolders, folders: [process.cwd()], rules });
  const remote = serveEditor(example.editor);
  for (const signal of example.endsBy) {
    process.once(signal, () => {
      example.close();
      remote.close();
    });
  }
}
